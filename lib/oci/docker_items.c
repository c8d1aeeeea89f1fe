/* SPDX-License-Identifier: Apache-2.0 */
#include "docker_items.h"

#include "document.h"

#include <stdio.h>
#include <string.h>

static int malformed(struct mkrootfs_error *error, const char *why)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "manifest.json: %s", why);
}

/* ---- Reading ---- */

int docker_items_read(struct docker_items *out, struct file_set *files,
		      struct mkrootfs_error *error)
{
	struct buf bytes = BUF_INIT(DOCUMENT_MAX_SIZE);
	int status = file_set_read(&bytes, files, "manifest.json", error);

	out->root = NULL;
	if (status == 0 && (status = jval_parse(&out->root, bytes.data, bytes.len, error)) < 0)
		error_prefix(error, "manifest.json: ");
	if (status == 0 && !jval_is_array(out->root)) {
		status = malformed(error, "it is no array, as that of a docker archive");
		docker_items_free(out);
	}
	buf_free(&bytes);
	return status;
}

void docker_items_free(struct docker_items *items)
{
	jval_free(items->root);
	items->root = NULL;
}

static bool all_texts(const struct jval *array)
{
	for (size_t i = 0; i < jval_count(array); i++)
		if (!jval_text(jval_at(array, i)))
			return false;
	return jval_is_absent(array) || jval_is_array(array);
}

static int load_item(struct docker_item *out, const struct docker_items *items, size_t index,
		     struct mkrootfs_error *error)
{
	const struct jval *item = jval_at(items->root, index);

	out->config = jval_text(jval_get(item, "Config"));
	out->tags = jval_get(item, "RepoTags");
	out->layers = jval_get(item, "Layers");
	if (!out->config)
		return malformed(error, "an image has no Config");
	if (!all_texts(out->tags) || !all_texts(out->layers))
		return malformed(error, "RepoTags or Layers is no array of strings");
	return 0;
}

/* ---- Names ---- */

/* False: it is no name of an image, such as the "<none>:<none>" of old. */
static bool canonical(char out[REFERENCE_TEXT_SIZE], const char *tag)
{
	struct mkrootfs_error ignored;
	struct reference name;

	if (reference_parse(&name, tag, &ignored) < 0 || name.kind != REFERENCE_REGISTRY ||
	    name.has_digest)
		return false;
	strcpy(out, name.text);
	return true;
}

bool docker_item_has_tag(const struct docker_item *item, const char *wanted)
{
	char text[REFERENCE_TEXT_SIZE];

	for (size_t i = 0; i < jval_count(item->tags); i++)
		if (canonical(text, jval_text(jval_at(item->tags, i))) && !strcmp(text, wanted))
			return true;
	return false;
}

void docker_item_only_tag(char out[REFERENCE_TEXT_SIZE], const struct docker_item *item)
{
	if (jval_count(item->tags) != 1 || !canonical(out, jval_text(jval_at(item->tags, 0))))
		out[0] = '\0';
}

static bool parse_hex(struct digest *out, const char *algorithm, const char *hex, size_t len)
{
	char text[DIGEST_TEXT_SIZE];
	struct mkrootfs_error ignored;
	int used = snprintf(text, sizeof(text), "%s:%.*s", algorithm, (int)len, hex);

	return used > 0 && (size_t)used < sizeof(text) && digest_parse(out, text, &ignored) == 0;
}

bool docker_item_config_digest(struct digest *out, const struct docker_item *item)
{
	const char *name = item->config, *end = strrchr(name, '.');
	struct mkrootfs_error ignored;

	if (strlen(name) > DIGEST_TEXT_SIZE + 16)
		return false;
	if (!strncmp(name, "blobs/sha256/", 13))
		return parse_hex(out, "sha256", name + 13, strlen(name + 13));
	if (!strncmp(name, "blobs/sha512/", 13))
		return parse_hex(out, "sha512", name + 13, strlen(name + 13));
	if (end && !strcmp(end, ".json"))
		return parse_hex(out, "sha256", name, (size_t)(end - name));
	return digest_parse(out, name, &ignored) == 0;
}

/* ---- Choosing ---- */

/* Names of the images as "a, b, @2"; cut when there are very many. */
static void list_names(struct buf *out, const struct docker_items *items)
{
	struct mkrootfs_error full;
	struct docker_item item;

	for (size_t i = 0; i < jval_count(items->root); i++) {
		size_t count;

		if (load_item(&item, items, i, &full) < 0)
			continue;
		count = jval_count(item.tags);
		for (size_t k = 0; k < count; k++)
			if (buf_printf(out, &full, "%s%s", out->len ? ", " : "",
				       jval_text(jval_at(item.tags, k))) < 0)
				return;
		if (count == 0 && buf_printf(out, &full, "%s@%zu", out->len ? ", " : "", i) < 0)
			return;
	}
}

static int not_found(const struct docker_items *items, const struct reference *reference,
		     struct mkrootfs_error *error)
{
	struct buf names = BUF_INIT(500);
	size_t count = jval_count(items->root);
	const char *list;

	list_names(&names, items);
	list = names.len ? (char *)names.data : "none";
	if (count == 0)
		error_set(error, MKROOTFS_ERROR_NOT_FOUND, "there is no image in it");
	else if (reference->tag[0])
		error_set(error, MKROOTFS_ERROR_NOT_FOUND, "no image is named '%s'; there are: %s",
			  reference->tag, list);
	else if (reference->number >= 0)
		error_set(error, MKROOTFS_ERROR_NOT_FOUND,
			  "there is no image @%d, but %zu, from @0: %s", reference->number, count,
			  list);
	else
		error_set(error, MKROOTFS_ERROR_NOT_FOUND,
			  "there are %zu images; say which one of: %s", count, list);
	buf_free(&names);
	return error->status;
}

static int choose_tagged(struct docker_item *item, const struct docker_items *items,
			 const struct reference *reference, struct mkrootfs_error *error)
{
	for (size_t i = 0; i < jval_count(items->root); i++) {
		if (load_item(item, items, i, error) < 0)
			return error->status;
		if (docker_item_has_tag(item, reference->tag))
			return 0;
	}
	return not_found(items, reference, error);
}

int docker_items_choose(struct docker_item *item, const struct docker_items *items,
			const struct reference *reference, struct mkrootfs_error *error)
{
	size_t count = jval_count(items->root), index = 0;

	if (reference->tag[0])
		return choose_tagged(item, items, reference, error);
	if (reference->number >= 0)
		index = (size_t)reference->number;
	else if (count != 1)
		return not_found(items, reference, error);
	if (index >= count)
		return not_found(items, reference, error);
	return load_item(item, items, index, error);
}
