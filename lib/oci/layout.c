/* SPDX-License-Identifier: Apache-2.0 */
#include "layout.h"

#include "document.h"
#include "index.h"
#include "layout_folder.h"

#include <stdlib.h>
#include <string.h>

struct layout {
	struct transport transport;
	struct reference reference;
	struct layout_folder folder;
	struct buf index_bytes; /* index.json */
	struct index index;
};

/* ---- Choosing by name ---- */

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

static int not_found(const struct layout *layout, struct mkrootfs_error *error)
{
	struct buf names = BUF_INIT(500);
	const char *tag = layout->reference.tag;

	list_names(&names, &layout->index);
	if (tag[0])
		error_set(error, MKROOTFS_ERROR_NOT_FOUND, "no image is named '%s'; there are: %s",
			  tag, names.len ? (char *)names.data : "none");
	else if (layout->index.count == 0)
		error_set(error, MKROOTFS_ERROR_NOT_FOUND, "there is no image in it");
	else
		error_set(error, MKROOTFS_ERROR_NOT_FOUND,
			  "there are %zu images; say which one of: %s", layout->index.count,
			  names.len ? (char *)names.data : "none");
	buf_free(&names);
	return error->status;
}

static int find_named(const struct index_entry **out, const struct layout *layout,
		      struct mkrootfs_error *error)
{
	const char *tag = layout->reference.tag;

	for (size_t i = 0; i < layout->index.count; i++) {
		const struct index_entry *entry = &layout->index.entries[i];

		if (!entry->ref_name || strcmp(entry->ref_name, tag) != 0)
			continue;
		if (*out && !digest_equal(&(*out)->descriptor.digest, &entry->descriptor.digest))
			return error_set(error, MKROOTFS_ERROR_MALFORMED,
					 "several images are named '%s'", tag);
		*out = entry;
	}
	return *out ? 0 : not_found(layout, error);
}

/* The entry to read; NULL on success: the index itself, whose images have no names. */
static int find_entry(const struct index_entry **out, const struct layout *layout,
		      struct mkrootfs_error *error)
{
	const struct index *index = &layout->index;

	*out = NULL;
	if (layout->reference.tag[0])
		return find_named(out, layout, error);
	if (index->count == 1) {
		*out = &index->entries[0];
		return 0;
	}
	for (size_t i = 0; i < index->count; i++)
		if (index->entries[i].ref_name)
			return not_found(layout, error);
	return index->count ? 0 : not_found(layout, error);
}

/* ---- The transport ---- */

static int fetch_digest(struct transport_document *out, const struct layout *layout,
			const struct digest *digest, struct mkrootfs_error *error)
{
	char name[LAYOUT_BLOB_NAME_SIZE];

	layout_blob_name(name, digest);
	return layout_folder_read(&out->bytes, &layout->folder, name, error);
}

static int fetch(struct transport_document *out, const struct layout *layout,
		 const char *tag_or_digest, struct mkrootfs_error *error)
{
	const struct index_entry *entry;
	struct digest digest;

	if (tag_or_digest)
		return digest_parse(&digest, tag_or_digest, error) < 0
			       ? error->status
			       : fetch_digest(out, layout, &digest, error);
	if (layout->reference.has_digest)
		return fetch_digest(out, layout, &layout->reference.digest, error);
	if (find_entry(&entry, layout, error) < 0)
		return error->status;
	if (!entry)
		return buf_append(&out->bytes, layout->index_bytes.data, layout->index_bytes.len,
				  error);
	out->described = true;
	out->descriptor = entry->descriptor;
	return fetch_digest(out, layout, &entry->descriptor.digest, error);
}

static int layout_fetch_manifest(struct transport *transport, struct transport_document *out,
				 const char *tag_or_digest, struct mkrootfs_error *error)
{
	struct layout *layout = (struct layout *)transport;

	if (fetch(out, layout, tag_or_digest, error) == 0)
		return 0;
	return error_prefix(error, "image layout '%.300s': ", layout->reference.path);
}

static int layout_open_blob(struct transport *transport, struct source **out,
			    const struct descriptor *descriptor, uint64_t offset,
			    struct mkrootfs_error *error)
{
	struct layout *layout = (struct layout *)transport;
	char name[LAYOUT_BLOB_NAME_SIZE];

	layout_blob_name(name, &descriptor->digest);
	return layout_folder_file(out, &layout->folder, name, offset, error);
}

static void layout_close(struct transport *transport)
{
	struct layout *layout = (struct layout *)transport;

	layout_folder_close(&layout->folder);
	index_free(&layout->index);
	buf_free(&layout->index_bytes);
	free(layout);
}

static const struct transport_ops layout_ops = {
	layout_fetch_manifest,
	layout_open_blob,
	layout_close,
};

/* ---- Opening ---- */

static int read_index(struct layout *layout, struct mkrootfs_error *error)
{
	enum document_kind kind;
	struct jval *root = NULL;
	int status = layout_folder_read(&layout->index_bytes, &layout->folder, "index.json", error);

	if (status == 0)
		status =
			jval_parse(&root, layout->index_bytes.data, layout->index_bytes.len, error);
	if (status == 0)
		status = document_classify(&kind, root, MEDIA_OCI_INDEX, error);
	if (status == 0)
		status = index_parse(&layout->index, root, error);
	jval_free(root);
	return status;
}

int layout_open(struct transport **out, const struct reference *reference,
		struct mkrootfs_error *error)
{
	struct layout *layout = calloc(1, sizeof(*layout));

	*out = NULL;
	if (!layout)
		return error_no_memory(error);
	layout->transport.ops = &layout_ops;
	layout->reference = *reference;
	layout->index_bytes = BUF_INIT(DOCUMENT_MAX_SIZE);
	if (layout_folder_open(&layout->folder, layout->reference.path, error) < 0 ||
	    read_index(layout, error) < 0) {
		layout_close(&layout->transport);
		return error_prefix(error, "image layout '%.300s': ", reference->path);
	}
	*out = &layout->transport;
	return 0;
}
