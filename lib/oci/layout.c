/* SPDX-License-Identifier: Apache-2.0 */
#include "layout.h"

#include "document.h"
#include "layout_choice.h"
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct layout {
	struct transport transport;
	struct reference reference;
	struct file_set *files; /* owned */
	struct buf index_bytes; /* index.json */
	struct index index;
	const struct index_entry *chosen; /* instead of by name; NULL: by name */
};

/* ---- The transport ---- */

static int fetch_digest(struct transport_document *out, const struct layout *layout,
			const struct digest *digest, struct mkrootfs_error *error)
{
	char name[LAYOUT_BLOB_NAME_SIZE];

	layout_blob_name(name, digest);
	return file_set_read(&out->bytes, layout->files, name, error);
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
	entry = layout->chosen;
	if (!entry && layout_choice(&entry, &layout->index, layout->reference.tag, error) < 0)
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
	return place_prefix(error, &layout->reference);
}

static int layout_open_blob(struct transport *transport, struct source **out,
			    const struct descriptor *descriptor, uint64_t offset,
			    struct mkrootfs_error *error)
{
	struct layout *layout = (struct layout *)transport;
	char name[LAYOUT_BLOB_NAME_SIZE];

	layout_blob_name(name, &descriptor->digest);
	return file_set_open(layout->files, out, NULL, name, offset, error);
}

static void layout_close(struct transport *transport)
{
	struct layout *layout = (struct layout *)transport;

	file_set_close(layout->files);
	index_free(&layout->index);
	buf_free(&layout->index_bytes);
	free(layout);
}

static const struct transport_ops layout_ops = {
	layout_fetch_manifest,
	layout_open_blob,
	layout_close,
	NULL,
};

const struct index *layout_index(const struct transport *transport)
{
	return &((const struct layout *)transport)->index;
}

void layout_choose(struct transport *transport, const struct index_entry *entry)
{
	((struct layout *)transport)->chosen = entry;
}

void layout_release_files(struct transport *transport)
{
	((struct layout *)transport)->files = NULL;
}

/* ---- Opening ---- */

void layout_blob_name(char name[LAYOUT_BLOB_NAME_SIZE], const struct digest *digest)
{
	char text[DIGEST_TEXT_SIZE];

	digest_format(text, digest);
	*strchr(text, ':') = '/';
	snprintf(name, LAYOUT_BLOB_NAME_SIZE, "blobs/%s", text);
}

static int check_version(const struct jval *root, struct mkrootfs_error *error)
{
	const char *version = jval_text(jval_get(root, "imageLayoutVersion"));

	if (!version)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "oci-layout has no imageLayoutVersion");
	if (strncmp(version, "1.", 2) != 0)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "image layout version '%.40s' is not supported", version);
	return 0;
}

static int check_marker(const struct layout *layout, struct mkrootfs_error *error)
{
	struct buf bytes = BUF_INIT(4096);
	struct jval *root = NULL;
	int status = file_set_read(&bytes, layout->files, "oci-layout", error);

	if (status == 0)
		status = jval_parse(&root, bytes.data, bytes.len, error);
	if (status == 0)
		status = check_version(root, error);
	jval_free(root);
	buf_free(&bytes);
	return status;
}

static int read_index(struct layout *layout, struct mkrootfs_error *error)
{
	enum document_kind kind;
	struct jval *root = NULL;
	int status = file_set_read(&layout->index_bytes, layout->files, "index.json", error);

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

int layout_open_files(struct transport **out, struct file_set *files,
		      const struct reference *reference, struct mkrootfs_error *error)
{
	struct layout *layout = calloc(1, sizeof(*layout));
	int status;

	*out = NULL;
	if (!layout)
		return error_no_memory(error);
	layout->transport.ops = &layout_ops;
	layout->reference = *reference;
	layout->index_bytes = BUF_INIT(DOCUMENT_MAX_SIZE);
	layout->files = files;
	status = check_marker(layout, error);
	if (status == MKROOTFS_ERROR_NOT_FOUND)
		place_suggest(error, files, reference);
	if (status == 0)
		status = read_index(layout, error);
	if (status < 0) {
		layout->files = NULL;
		layout_close(&layout->transport);
		return place_prefix(error, reference);
	}
	*out = &layout->transport;
	return 0;
}

int layout_open(struct transport **out, const struct reference *reference,
		struct mkrootfs_error *error)
{
	struct file_set *files;

	*out = NULL;
	if (place_open_folder(&files, reference, error) < 0)
		return place_prefix(error, reference);
	if (layout_open_files(out, files, reference, error) < 0)
		file_set_close(files);
	return *out ? 0 : error->status;
}
