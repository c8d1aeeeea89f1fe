/* SPDX-License-Identifier: Apache-2.0 */
#include "save_parts.h"

#include "../oci/document.h"
#include "../oci/layout.h"
#include "save_layer.h"

#include <stdlib.h>
#include <string.h>

/* ---- Layers ---- */

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
	for (size_t i = 0; status == 0 && i < parts->layer_count; i++)
		status = measure_layer(parts, image, i, events, error);
	return status;
}

/* ---- Documents ---- */

static int read_document(struct buf *out, const struct mkrootfs_image *image, const char *name,
			 struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(2 * REFERENCE_PATH_SIZE);
	struct source *source = NULL;
	int status = buf_printf(&path, error, "%s/%s", image->directory, name);

	if (status == 0)
		status = source_file(&source, (char *)path.data, error);
	if (status == 0)
		status = source_read_all(out, source, error);
	source_close(source);
	buf_free(&path);
	return status;
}

static struct jval *descriptor_value(const struct descriptor *descriptor)
{
	struct jval *value = jval_new_object();
	char digest[DIGEST_TEXT_SIZE];

	digest_format(digest, &descriptor->digest);
	jval_set(value, "mediaType", jval_new_text(descriptor->media_type));
	jval_set(value, "digest", jval_new_text(digest));
	jval_set(value, "size", jval_new_integer(descriptor->size));
	return value;
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
	status = read_document(&parts->config, image, IMAGE_CONFIG, error);
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
		jval_append(layers, descriptor_value(&parts->layers[i]));
	jval_set(manifest, "schemaVersion", jval_new_integer(2));
	jval_set(manifest, "mediaType", jval_new_text(MEDIA_OCI_MANIFEST));
	jval_set(manifest, "config", descriptor_value(&parts->config_descriptor));
	jval_set(manifest, "layers", layers);
}

/* All that the image's manifest says, as annotations, but for the blobs. */
static int write_manifest(struct save_parts *parts, const struct mkrootfs_image *image,
			  struct mkrootfs_error *error)
{
	struct jval *root = NULL;
	int status;

	parts->manifest = BUF_INIT(2 * DOCUMENT_MAX_SIZE);
	status = read_document(&parts->manifest, image, IMAGE_MANIFEST, error);
	if (status == 0)
		status = jval_parse(&root, parts->manifest.data, parts->manifest.len, error);
	if (status == 0) {
		set_blobs(root, parts);
		status = replace_text(&parts->manifest, root, error);
	}
	jval_free(root);
	return status;
}

static int describe(struct descriptor *out, const struct buf *bytes, const char *media_type,
		    struct mkrootfs_error *error)
{
	strcpy(out->media_type, media_type);
	out->size = (int64_t)bytes->len;
	return digest_of(&out->digest, DIGEST_SHA256, bytes->data, bytes->len, error);
}

static int make_anew(struct save_parts *parts, const struct mkrootfs_image *image,
		     const struct save_options *options, struct mkrootfs_error *error)
{
	int status = measure_layers(parts, image, options->events, error);

	if (status == 0)
		status = write_config(parts, image, error);
	if (status == 0)
		status = describe(&parts->config_descriptor, &parts->config, MEDIA_OCI_CONFIG,
				  error);
	if (status == 0)
		status = write_manifest(parts, image, error);
	if (status == 0)
		status = describe(&parts->manifest_descriptor, &parts->manifest, MEDIA_OCI_MANIFEST,
				  error);
	return status;
}

/* ---- From a source ---- */

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
		status = describe(&parts->manifest_descriptor, &parts->manifest,
				  type_of(&parts->manifest, &root, error), error);
	jval_free(root);
	return status;
}

/* ---- The lists of the archive ---- */

static struct jval *platform_value(const struct platform *platform)
{
	struct jval *value = jval_new_object();

	jval_set(value, "architecture", jval_new_text(platform->architecture));
	jval_set(value, "os", jval_new_text(platform->os));
	if (platform->variant[0])
		jval_set(value, "variant", jval_new_text(platform->variant));
	return value;
}

/* As docker and containerd name images in a layout. */
static struct jval *names_value(const struct save_options *options)
{
	struct jval *names = jval_new_object();

	if (options->name)
		jval_set(names, "io.containerd.image.name", jval_new_text(options->name));
	jval_set(names, "org.opencontainers.image.ref.name", jval_new_text(options->tag));
	return names;
}

static int write_index(struct save_parts *parts, const struct mkrootfs_image *image,
		       const struct save_options *options, struct mkrootfs_error *error)
{
	struct jval *root = jval_new_object(), *manifests = jval_new_array();
	struct jval *entry = descriptor_value(&parts->manifest_descriptor);
	int status;

	if (image->config.platform.os[0] && image->config.platform.architecture[0])
		jval_set(entry, "platform", platform_value(&image->config.platform));
	if (options->tag)
		jval_set(entry, "annotations", names_value(options));
	jval_append(manifests, entry);
	jval_set(root, "schemaVersion", jval_new_integer(2));
	jval_set(root, "mediaType", jval_new_text(MEDIA_OCI_INDEX));
	jval_set(root, "manifests", manifests);
	status = jval_dump(&parts->index, root, error);
	jval_free(root);
	return status;
}

static struct jval *blob_name_value(const struct descriptor *descriptor)
{
	char name[LAYOUT_BLOB_NAME_SIZE];

	layout_blob_name(name, &descriptor->digest);
	return jval_new_text(name);
}

static int write_docker_list(struct save_parts *parts, const struct save_options *options,
			     struct mkrootfs_error *error)
{
	struct jval *root = jval_new_array(), *item = jval_new_object();
	struct jval *tags = jval_new_array(), *layers = jval_new_array();
	int status;

	if (options->name)
		jval_append(tags, jval_new_text(options->name));
	for (size_t i = 0; i < parts->layer_count; i++)
		jval_append(layers, blob_name_value(&parts->layers[i]));
	jval_set(item, "Config", blob_name_value(&parts->config_descriptor));
	jval_set(item, "RepoTags", tags);
	jval_set(item, "Layers", layers);
	jval_append(root, item);
	status = jval_dump(&parts->docker_list, root, error);
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
		status = make_anew(parts, image, options, error);
	if (status == 0)
		status = write_index(parts, image, options, error);
	if (status == 0 && options->with_docker_list)
		status = write_docker_list(parts, options, error);
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
