/* SPDX-License-Identifier: Apache-2.0 */
#include "save_parts.h"

#include "../oci/document.h"

#include <stdlib.h>
#include <string.h>

struct jval *save_parts_descriptor(const struct descriptor *descriptor)
{
	struct jval *value = jval_new_object();
	char digest[DIGEST_TEXT_SIZE];

	digest_format(digest, &descriptor->digest);
	jval_set(value, "mediaType", jval_new_text(descriptor->media_type));
	jval_set(value, "digest", jval_new_text(digest));
	jval_set(value, "size", jval_new_integer(descriptor->size));
	return value;
}

int save_parts_describe(struct descriptor *out, const struct buf *bytes, const char *media_type,
			struct mkrootfs_error *error)
{
	strcpy(out->media_type, media_type);
	out->size = (int64_t)bytes->len;
	return digest_of(&out->digest, DIGEST_SHA256, bytes->data, bytes->len, error);
}

static const char *type_of(const struct buf *manifest, struct jval **root,
			   struct mkrootfs_error *error)
{
	const char *type = NULL;

	if (jval_parse(root, manifest->data, manifest->len, error) == 0)
		type = jval_text(jval_get(*root, "mediaType"));
	return type && strlen(type) < MEDIA_TYPE_SIZE ? type : MEDIA_OCI_MANIFEST;
}

static int copy_source(struct save_parts *parts, const struct resolved_image *resolved,
		       struct mkrootfs_error *error)
{
	struct jval *root = NULL;
	int status;

	parts->layer_count = resolved->manifest.layer_count;
	parts->layers = calloc(parts->layer_count + 1, sizeof(*parts->layers));
	parts->config = BUF_INIT(CONFIG_MAX_SIZE);
	parts->manifest = BUF_INIT(DOCUMENT_MAX_SIZE);
	if (!parts->layers)
		return error_no_memory(error);
	memcpy(parts->layers, resolved->manifest.layers,
	       parts->layer_count * sizeof(*parts->layers));
	parts->config_descriptor = resolved->manifest.config;
	status = buf_append(&parts->config, resolved->config_bytes.data, resolved->config_bytes.len,
			    error);
	if (status == 0)
		status = buf_append(&parts->manifest, resolved->manifest_bytes.data,
				    resolved->manifest_bytes.len, error);
	if (status == 0)
		status = save_parts_describe(&parts->manifest_descriptor, &parts->manifest,
					     type_of(&parts->manifest, &root, error), error);
	jval_free(root);
	return status;
}

int save_parts_make(struct save_parts *parts, const struct mkrootfs_image *image,
		    const struct save_options *options, struct mkrootfs_error *error)
{
	int status;

	memset(parts, 0, sizeof(*parts));
	if (options->source)
		status = copy_source(parts, options->resolved, error);
	else
		status = save_parts_make_anew(parts, image, options, error);
	if (status == 0)
		status = save_parts_write_index(parts, image, options, error);
	if (status == 0 && options->with_docker_list)
		status = save_parts_write_docker_list(parts, options, error);
	if (status < 0)
		save_parts_free(parts);
	return status;
}

void save_parts_free(struct save_parts *parts)
{
	free(parts->layers);
	free(parts->index);
	free(parts->docker_list);
	buf_free(&parts->config);
	buf_free(&parts->manifest);
	memset(parts, 0, sizeof(*parts));
}
