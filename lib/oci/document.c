/* SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

#include "media_type.h"

#include <string.h>

static int malformed(struct mkrootfs_error *error, const char *why)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s", why);
}

static const char *kind_name(enum document_kind kind)
{
	return kind == DOCUMENT_INDEX ? "an index" : "a manifest";
}

/* Schema 1 had fsLayers, in a document with or without a media type. */
static int refuse_schema1(const struct jval *root, const char *own_type, const char *expected_type,
			  struct mkrootfs_error *error)
{
	const char *type = MEDIA_DOCKER_SCHEMA1;
	int64_t version = 2;

	if (!jval_is_absent(jval_get(root, "schemaVersion")) &&
	    !jval_integer(&version, jval_get(root, "schemaVersion")))
		return malformed(error, "schemaVersion is no number");
	if (media_type_kind(expected_type) == MEDIA_KIND_SCHEMA1)
		type = expected_type;
	else if (media_type_kind(own_type) == MEDIA_KIND_SCHEMA1)
		type = own_type;
	else if (version != 1 && !jval_get(root, "fsLayers"))
		return version == 2 ? 0
				    : error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
						"schemaVersion %lld is not supported",
						(long long)version);
	return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
			 "%s: image manifests of schema 1 are not supported", type);
}

static int kind_by_structure(enum document_kind *out, const struct jval *root,
			     struct mkrootfs_error *error)
{
	bool manifests = jval_get(root, "manifests") != NULL;
	bool layers = jval_get(root, "layers") != NULL, config = jval_get(root, "config") != NULL;

	if (manifests && (layers || config))
		return malformed(error, "the document is both a manifest and an index");
	if (!manifests && (!layers || !config))
		return malformed(error, "the document is neither a manifest nor an index");
	*out = manifests ? DOCUMENT_INDEX : DOCUMENT_MANIFEST;
	return 0;
}

static int check_kind(enum document_kind kind, const char *type, struct mkrootfs_error *error)
{
	enum media_kind media = media_type_kind(type);

	if (media == MEDIA_KIND_UNKNOWN || (media == MEDIA_KIND_INDEX) == (kind == DOCUMENT_INDEX))
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "the document is %s, but its media type is %s", kind_name(kind), type);
}

int document_classify(enum document_kind *out, const struct jval *root, const char *expected_type,
		      struct mkrootfs_error *error)
{
	const struct jval *member = jval_get(root, "mediaType");
	const char *own_type = jval_text(member) ? jval_text(member) : "";

	if (!jval_is_object(root))
		return malformed(error, "the document is no JSON object");
	if (!jval_is_absent(member) && !jval_text(member))
		return malformed(error, "mediaType is no string");
	if (refuse_schema1(root, own_type, expected_type, error) < 0)
		return error->status;
	if (own_type[0] && media_type_kind(own_type) == MEDIA_KIND_UNKNOWN)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "%.200s: not the manifest or index of an image", own_type);
	if (kind_by_structure(out, root, error) < 0 || check_kind(*out, own_type, error) < 0 ||
	    check_kind(*out, expected_type, error) < 0)
		return error->status;
	return 0;
}

int document_load(struct document *out, struct buf *bytes, const char *expected_type,
		  struct mkrootfs_error *error)
{
	int status;

	memset(out, 0, sizeof(*out));
	out->bytes = *bytes;
	*bytes = BUF_INIT(bytes->cap);
	status = digest_of(&out->digest, DIGEST_SHA256, out->bytes.data, out->bytes.len, error);
	if (status == 0 &&
	    (status = jval_parse(&out->root, out->bytes.data, out->bytes.len, error)) < 0)
		error_prefix(error, "the manifest is ");
	if (status == 0)
		status = document_classify(&out->kind, out->root, expected_type, error);
	if (status < 0)
		document_free(out);
	return status;
}

int document_check_type(const struct document *document, const char *descriptor_type,
			struct mkrootfs_error *error)
{
	const char *own_type = jval_text(jval_get(document->root, "mediaType"));

	if (!own_type || media_type_kind(descriptor_type) == MEDIA_KIND_UNKNOWN ||
	    !strcmp(own_type, descriptor_type))
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "its media type is %s, but its descriptor says %s", own_type,
			 descriptor_type);
}

void document_free(struct document *document)
{
	buf_free(&document->bytes);
	jval_free(document->root);
	document->root = NULL;
}
