/* SPDX-License-Identifier: Apache-2.0 */
#include "save_parts.h"

#include "../oci/document.h"
#include "image_documents.h"
#include "save_layer.h"

#include <stdlib.h>
#include <string.h>

/* The same layer may stand in the image several times. */
static bool is_known(struct save_parts *parts, const struct mkrootfs_image *image, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (digest_equal(&image->config.diff_ids[i], &image->config.diff_ids[index])) {
			parts->layers[index] = parts->layers[i];
			return true;
		}
	return false;
}

static int measure_layer(struct save_parts *parts, const struct mkrootfs_image *image, size_t index,
			 struct events *events, struct mkrootfs_error *error)
{
	struct descriptor *layer = &parts->layers[index];
	uint64_t size;

	if (is_known(parts, image, index))
		return 0;
	events->layer_index = (uint32_t)index;
	strcpy(layer->media_type, MEDIA_OCI_LAYER);
	if (save_layer(NULL, &layer->digest, &size, image->layers[index].path, events, error) < 0)
		return error_prefix(error, "layer %zu/%zu %.19s: ", index + 1, parts->layer_count,
				    image->layers[index].diff_id);
	layer->size = (int64_t)size;
	return 0;
}

static int measure_layers(struct save_parts *parts, const struct mkrootfs_image *image,
			  struct events *events, struct mkrootfs_error *error)
{
	int status = 0;

	parts->layer_count = image->config.diff_id_count;
	parts->layers = calloc(parts->layer_count + 1, sizeof(*parts->layers));
	if (!parts->layers)
		return error_no_memory(error);
	events->layer_count = (uint32_t)parts->layer_count;
	events->digest[0] = '\0';
	for (size_t i = 0; status == 0 && i < parts->layer_count; i++)
		status = measure_layer(parts, image, i, events, error);
	return status;
}

static struct jval *rootfs_value(const struct save_parts *parts)
{
	struct jval *rootfs = jval_new_object(), *diff_ids = jval_new_array();
	char digest[DIGEST_TEXT_SIZE];

	for (size_t i = 0; i < parts->layer_count; i++) {
		digest_format(digest, &parts->layers[i].digest);
		jval_append(diff_ids, jval_new_text(digest));
	}
	jval_set(rootfs, "type", jval_new_text("layers"));
	jval_set(rootfs, "diff_ids", diff_ids);
	return rootfs;
}

static bool same_diff_ids(const struct save_parts *parts, const struct mkrootfs_image *image)
{
	for (size_t i = 0; i < parts->layer_count; i++)
		if (!digest_equal(&parts->layers[i].digest, &image->config.diff_ids[i]))
			return false;
	return true;
}

/* Puts a document's new text in the place of its bytes. */
static int replace_text(struct buf *bytes, const struct jval *root, struct mkrootfs_error *error)
{
	char *text;
	int status = jval_dump(&text, root, error);

	if (status < 0)
		return status;
	buf_clear(bytes);
	status = buf_append_string(bytes, text, error);
	free(text);
	return status;
}

/* All that the image's config says, but for the digests of its layers. */
static int write_config(struct save_parts *parts, const struct mkrootfs_image *image,
			struct mkrootfs_error *error)
{
	struct jval *root = NULL;
	int status;

	parts->config = BUF_INIT(2 * CONFIG_MAX_SIZE);
	status = image_read_file(&parts->config, image->directory, IMAGE_CONFIG, error);
	if (status < 0 || same_diff_ids(parts, image))
		return status;
	status = jval_parse(&root, parts->config.data, parts->config.len, error);
	if (status == 0) {
		jval_set(root, "rootfs", rootfs_value(parts));
		status = replace_text(&parts->config, root, error);
	}
	jval_free(root);
	return status;
}

static void set_blobs(struct jval *manifest, const struct save_parts *parts)
{
	struct jval *layers = jval_new_array();

	for (size_t i = 0; i < parts->layer_count; i++)
		jval_append(layers, save_parts_descriptor(&parts->layers[i]));
	jval_set(manifest, "schemaVersion", jval_new_integer(2));
	jval_set(manifest, "mediaType", jval_new_text(MEDIA_OCI_MANIFEST));
	jval_set(manifest, "config", save_parts_descriptor(&parts->config_descriptor));
	jval_set(manifest, "layers", layers);
}

/* All that the image's manifest says, as annotations, but for the blobs. */
static int write_manifest(struct save_parts *parts, const struct mkrootfs_image *image,
			  struct mkrootfs_error *error)
{
	struct jval *root = NULL;
	int status;

	parts->manifest = BUF_INIT(2 * DOCUMENT_MAX_SIZE);
	status = image_read_file(&parts->manifest, image->directory, IMAGE_MANIFEST, error);
	if (status == 0)
		status = jval_parse(&root, parts->manifest.data, parts->manifest.len, error);
	if (status == 0) {
		set_blobs(root, parts);
		status = replace_text(&parts->manifest, root, error);
	}
	jval_free(root);
	return status;
}

int save_parts_make_anew(struct save_parts *parts, const struct mkrootfs_image *image,
			 const struct save_options *options, struct mkrootfs_error *error)
{
	int status = measure_layers(parts, image, options->events, error);

	if (status == 0)
		status = write_config(parts, image, error);
	if (status == 0)
		status = save_parts_describe(&parts->config_descriptor, &parts->config,
					     MEDIA_OCI_CONFIG, error);
	if (status == 0)
		status = write_manifest(parts, image, error);
	if (status == 0)
		status = save_parts_describe(&parts->manifest_descriptor, &parts->manifest,
					     MEDIA_OCI_MANIFEST, error);
	return status;
}
