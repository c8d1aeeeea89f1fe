/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

static int mistyped(struct mkrootfs_error *error, const char *what, const char *type)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s is no %s", what, type);
}

static int parse_diff_ids(struct config *out, const struct jval *diff_ids,
			  struct mkrootfs_error *error)
{
	size_t count = jval_count(diff_ids);

	out->diff_ids = calloc(count ? count : 1, sizeof(*out->diff_ids));
	if (!out->diff_ids)
		return error_no_memory(error);
	for (; out->diff_id_count < count; out->diff_id_count++) {
		const char *text = jval_text(jval_at(diff_ids, out->diff_id_count));

		if (!text)
			return mistyped(error, "a diff ID", "string");
		if (digest_parse(&out->diff_ids[out->diff_id_count], text, error) < 0)
			return error_prefix(error, "diff ID %zu: ", out->diff_id_count);
	}
	return 0;
}

static int parse_rootfs(struct config *out, size_t layer_count, struct mkrootfs_error *error)
{
	const struct jval *rootfs = jval_get(out->root, "rootfs");
	const struct jval *diff_ids = jval_get(rootfs, "diff_ids");
	const char *type = jval_text(jval_get(rootfs, "type"));

	if (!jval_is_object(rootfs))
		return mistyped(error, "rootfs", "object");
	if (!type || strcmp(type, "layers") != 0)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "rootfs.type is '%.40s' and not 'layers'", type ? type : "");
	if (!jval_is_absent(diff_ids) && !jval_is_array(diff_ids))
		return mistyped(error, "rootfs.diff_ids", "array");
	if (jval_count(diff_ids) != layer_count)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "config lists %zu diff IDs for %zu layers", jval_count(diff_ids),
				 layer_count);
	return parse_diff_ids(out, diff_ids, error);
}

static int parse_text(const char **out, const struct jval *object, const char *key,
		      struct mkrootfs_error *error)
{
	const struct jval *member = jval_get(object, key);

	*out = jval_text(member);
	if (!*out && !jval_is_absent(member))
		return mistyped(error, key, "string");
	if (!*out)
		*out = "";
	return 0;
}

static int parse_list(struct mkrootfs_string_list *out, const struct jval *object, const char *key,
		      struct mkrootfs_error *error)
{
	const struct jval *member = jval_get(object, key);
	size_t count = jval_count(member);
	const char **items;

	if (!jval_is_absent(member) && !jval_is_array(member))
		return mistyped(error, key, "array");
	items = calloc(count + 1, sizeof(*items));
	if (!items)
		return error_no_memory(error);
	out->items = items;
	for (; out->count < count; out->count++) {
		items[out->count] = jval_text(jval_at(member, out->count));
		if (!items[out->count])
			return mistyped(error, key, "array of strings");
	}
	return 0;
}

static int parse_run(struct mkrootfs_image_config *out, const struct jval *run,
		     struct mkrootfs_error *error)
{
	if (!jval_is_absent(run) && !jval_is_object(run))
		return mistyped(error, "config", "object");
	if (parse_list(&out->env, run, "Env", error) < 0 ||
	    parse_list(&out->entrypoint, run, "Entrypoint", error) < 0 ||
	    parse_list(&out->cmd, run, "Cmd", error) < 0 ||
	    parse_text(&out->user, run, "User", error) < 0 ||
	    parse_text(&out->working_dir, run, "WorkingDir", error) < 0 ||
	    parse_text(&out->stop_signal, run, "StopSignal", error) < 0)
		return error->status;
	return 0;
}

int config_parse(struct config *out, const void *data, size_t len, size_t layer_count,
		 struct mkrootfs_error *error)
{
	int status;

	memset(out, 0, sizeof(*out));
	status = jval_parse(&out->root, data, len, error);
	if (status == 0 && !jval_is_object(out->root))
		status = mistyped(error, "the document", "JSON object");
	if (status == 0)
		status = platform_from_json(&out->platform, out->root, error);
	if (status == 0)
		status = parse_rootfs(out, layer_count, error);
	if (status == 0)
		status = parse_run(&out->run, jval_get(out->root, "config"), error);
	if (status < 0)
		config_free(out);
	return status;
}

static void list_free(struct mkrootfs_string_list *list)
{
	free((void *)(uintptr_t)list->items);
}

void config_free(struct config *config)
{
	list_free(&config->run.env);
	list_free(&config->run.entrypoint);
	list_free(&config->run.cmd);
	free(config->diff_ids);
	jval_free(config->root);
	memset(config, 0, sizeof(*config));
}
