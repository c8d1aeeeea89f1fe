/* SPDX-License-Identifier: Apache-2.0 */
#include "index.h"

#include <stdlib.h>
#include <string.h>

/* BuildKit marks its attestations by platform and by annotation; either one counts. */
static bool is_attestation(const struct index_entry *entry, const struct jval *annotations)
{
	return (!strcmp(entry->platform.os, "unknown") &&
		!strcmp(entry->platform.architecture, "unknown")) ||
	       !jval_is_absent(jval_get(annotations, "vnd.docker.reference.type"));
}

static int copy_text(char **out, const struct jval *annotations, const char *key,
		     struct mkrootfs_error *error)
{
	const char *text = jval_text(jval_get(annotations, key));

	if (!text)
		return 0;
	*out = strdup(text);
	return *out ? 0 : error_no_memory(error);
}

static int parse_annotations(struct index_entry *out, const struct jval *annotations,
			     struct mkrootfs_error *error)
{
	if (!jval_is_absent(annotations) && !jval_is_object(annotations))
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "annotations is no object");
	out->is_attestation = is_attestation(out, annotations);
	if (copy_text(&out->ref_name, annotations, "org.opencontainers.image.ref.name", error) < 0)
		return error->status;
	if (copy_text(&out->image_name, annotations, "io.containerd.image.name", error) == 0)
		return 0;
	free(out->ref_name); /* the index does not count this entry yet */
	return error->status;
}

static int parse_platform(struct index_entry *out, const struct jval *platform,
			  struct mkrootfs_error *error)
{
	if (jval_is_absent(platform))
		return 0;
	if (!jval_is_object(platform))
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "platform is no object");
	if (platform_from_json(&out->platform, platform, error) < 0)
		return error_prefix(error, "platform: ");
	out->has_platform = out->platform.os[0] && out->platform.architecture[0];
	return 0;
}

static int parse_entry(struct index_entry *out, const struct jval *value,
		       struct mkrootfs_error *error)
{
	int status = descriptor_parse(&out->descriptor, value, error);

	if (status == 0)
		status = parse_platform(out, jval_get(value, "platform"), error);
	if (status == 0)
		status = parse_annotations(out, jval_get(value, "annotations"), error);
	return status;
}

static int parse_entries(struct index *out, const struct jval *manifests,
			 struct mkrootfs_error *error)
{
	size_t count = jval_count(manifests);

	if (!jval_is_array(manifests))
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "manifests is no array");
	out->entries = calloc(count ? count : 1, sizeof(*out->entries));
	if (!out->entries)
		return error_no_memory(error);
	for (; out->count < count; out->count++)
		if (parse_entry(&out->entries[out->count], jval_at(manifests, out->count), error) <
		    0)
			return error_prefix(error, "manifest %zu of the index: ", out->count);
	return 0;
}

int index_parse(struct index *out, const struct jval *root, struct mkrootfs_error *error)
{
	memset(out, 0, sizeof(*out));
	if (parse_entries(out, jval_get(root, "manifests"), error) == 0)
		return 0;
	index_free(out);
	return error->status;
}

void index_free(struct index *index)
{
	for (size_t i = 0; i < index->count; i++) {
		free(index->entries[i].ref_name);
		free(index->entries[i].image_name);
	}
	free(index->entries);
	memset(index, 0, sizeof(*index));
}
