/* SPDX-License-Identifier: Apache-2.0 */
#include "layout_choice.h"

#include "../base/buf.h"

#include <string.h>

/* Names of the layout's images as "a, b"; cut when there are very many. */
static void list_names(struct buf *out, const struct index *index)
{
	struct mkrootfs_error full;

	for (size_t i = 0; i < index->count; i++)
		if (index->entries[i].ref_name &&
		    buf_printf(out, &full, "%s%s", out->len ? ", " : "",
			       index->entries[i].ref_name) < 0)
			return;
}

static int not_found(const struct index *index, const char *tag, struct mkrootfs_error *error)
{
	struct buf names = BUF_INIT(500);

	list_names(&names, index);
	if (tag[0])
		error_set(error, MKROOTFS_ERROR_NOT_FOUND, "no image is named '%s'; there are: %s",
			  tag, names.len ? (char *)names.data : "none");
	else if (index->count == 0)
		error_set(error, MKROOTFS_ERROR_NOT_FOUND, "there is no image in it");
	else
		error_set(error, MKROOTFS_ERROR_NOT_FOUND,
			  "there are %zu images; say which one of: %s", index->count,
			  names.len ? (char *)names.data : "none");
	buf_free(&names);
	return error->status;
}

static int find_named(const struct index_entry **out, const struct index *index, const char *tag,
		      struct mkrootfs_error *error)
{
	for (size_t i = 0; i < index->count; i++) {
		const struct index_entry *entry = &index->entries[i];

		if (!entry->ref_name || strcmp(entry->ref_name, tag) != 0)
			continue;
		if (*out && !digest_equal(&(*out)->descriptor.digest, &entry->descriptor.digest))
			return error_set(error, MKROOTFS_ERROR_MALFORMED,
					 "several images are named '%s'", tag);
		*out = entry;
	}
	return *out ? 0 : not_found(index, tag, error);
}

bool index_is_one_image(const struct index *index)
{
	for (size_t i = 1; i < index->count; i++)
		if (!digest_equal(&index->entries[i].descriptor.digest,
				  &index->entries[0].descriptor.digest))
			return false;
	return index->count > 0;
}

int layout_choice(const struct index_entry **out, const struct index *index, const char *tag,
		  struct mkrootfs_error *error)
{
	*out = NULL;
	if (tag[0])
		return find_named(out, index, tag, error);
	if (index_is_one_image(index)) {
		*out = &index->entries[0];
		return 0;
	}
	for (size_t i = 0; i < index->count; i++)
		if (index->entries[i].ref_name)
			return not_found(index, tag, error);
	return index->count ? 0 : not_found(index, tag, error);
}
