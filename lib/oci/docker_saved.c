/* SPDX-License-Identifier: Apache-2.0 */
#include "docker_saved_parts.h"

#include "document.h"
#include "place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The layer media type is the one that other readers of such archives give. */
#define LAYER_TYPE "application/vnd.docker.image.rootfs.diff.tar.gzip"

static int saved_fetch_manifest(struct transport *transport, struct transport_document *out,
				const char *tag_or_digest, struct mkrootfs_error *error)
{
	struct docker_saved *saved = (struct docker_saved *)transport;

	if (tag_or_digest) {
		error_set(error, MKROOTFS_ERROR_NOT_FOUND, "it has no manifest %s", tag_or_digest);
		return place_prefix(error, &saved->reference);
	}
	strcpy(out->media_type, MEDIA_DOCKER_MANIFEST);
	return buf_append(&out->bytes, saved->manifest.data, saved->manifest.len, error);
}

/* Reads up to offset, since compressed bytes cannot be skipped. */
static int open_compressed(struct source **out, const struct docker_saved *saved,
			   const struct saved_layer *layer, uint64_t offset,
			   struct mkrootfs_error *error)
{
	struct source *tar;
	uint64_t size;
	bool compressed;

	if (docker_saved_open_tar(&tar, &compressed, &size, saved, layer->name, error) < 0)
		return error->status;
	if (source_tail(out, tar, offset, error) < 0)
		source_close(tar);
	return *out ? 0 : error->status;
}

static int open_layer(struct source **out, const struct docker_saved *saved,
		      const struct saved_layer *layer, uint64_t offset,
		      struct mkrootfs_error *error)
{
	if (layer->compressed)
		return open_compressed(out, saved, layer, offset, error);
	return file_set_open(saved->files, out, NULL, layer->name, offset, error);
}

static int saved_open_blob(struct transport *transport, struct source **out,
			   const struct descriptor *descriptor, uint64_t offset,
			   struct mkrootfs_error *error)
{
	struct docker_saved *saved = (struct docker_saved *)transport;
	const struct buf *config = &saved->config_bytes;
	char digest[DIGEST_TEXT_SIZE];

	*out = NULL;
	if (offset <= config->len && digest_equal(&descriptor->digest, &saved->config_digest))
		return source_memory(out, config->data + offset, config->len - offset, error);
	for (size_t i = 0; i < saved->config.diff_id_count; i++)
		if (digest_equal(&descriptor->digest, &saved->config.diff_ids[i]))
			return open_layer(out, saved, &saved->layers[i], offset, error);
	digest_format(digest, &descriptor->digest);
	return error_set(error, MKROOTFS_ERROR_NOT_FOUND, "there is no layer %s in it", digest);
}

static void saved_close(struct transport *transport)
{
	struct docker_saved *saved = (struct docker_saved *)transport;

	for (size_t i = 0; saved->layers && i < saved->config.diff_id_count; i++)
		free(saved->layers[i].name);
	free(saved->layers);
	buf_free(&saved->manifest);
	buf_free(&saved->config_bytes);
	config_free(&saved->config);
	docker_items_free(&saved->items);
	file_set_close(saved->files);
	free(saved);
}

static const struct transport_ops saved_ops = {
	saved_fetch_manifest,
	saved_open_blob,
	saved_close,
	NULL,
};

/* ---- Opening ---- */

/* Everyone who writes such archives names the config by its digest, or by no digest at all. */
static int check_config(const struct docker_saved *saved, struct mkrootfs_error *error)
{
	struct digest named, actual;
	char is[DIGEST_TEXT_SIZE], should[DIGEST_TEXT_SIZE];

	if (!docker_item_config_digest(&named, &saved->item))
		return 0;
	if (digest_of(&actual, named.algorithm, saved->config_bytes.data, saved->config_bytes.len,
		      error) < 0)
		return error->status;
	if (digest_equal(&named, &actual))
		return 0;
	digest_format(is, &actual);
	digest_format(should, &named);
	return error_set(error, MKROOTFS_ERROR_DIGEST,
			 "the content has digest %s, its name says %s", is, should);
}

static int read_config(struct docker_saved *saved, struct mkrootfs_error *error)
{
	struct buf name;
	int status = docker_saved_normal_name(&name, saved->item.config, error);

	saved->config_bytes = BUF_INIT(CONFIG_MAX_SIZE);
	if (status == 0)
		status =
			file_set_read(&saved->config_bytes, saved->files, (char *)name.data, error);
	if (status == 0)
		status = digest_of(&saved->config_digest, DIGEST_SHA256, saved->config_bytes.data,
				   saved->config_bytes.len, error);
	if (status == 0)
		status = check_config(saved, error);
	if (status == 0)
		status = config_parse(&saved->config, saved->config_bytes.data,
				      saved->config_bytes.len, jval_count(saved->item.layers),
				      error);
	buf_free(&name);
	return status < 0 ? error_prefix(error, "config: ") : 0;
}

/* Compact JSON, members in this order: see docker_archive.h for why. */
static int write_manifest(struct docker_saved *saved, struct mkrootfs_error *error)
{
	char digest[DIGEST_TEXT_SIZE];
	struct buf *out = &saved->manifest;
	int status;

	*out = BUF_INIT(DOCUMENT_MAX_SIZE);
	digest_format(digest, &saved->config_digest);
	status = buf_printf(out, error,
			    "{\"schemaVersion\":2,\"mediaType\":\"" MEDIA_DOCKER_MANIFEST "\","
			    "\"config\":{\"mediaType\":\"" MEDIA_DOCKER_CONFIG "\","
			    "\"size\":%zu,\"digest\":\"%s\"},\"layers\":[",
			    saved->config_bytes.len, digest);
	for (size_t i = 0; status == 0 && i < saved->config.diff_id_count; i++) {
		digest_format(digest, &saved->config.diff_ids[i]);
		status = buf_printf(out, error,
				    "%s{\"mediaType\":\"" LAYER_TYPE "\",\"size\":%" PRIu64
				    ",\"digest\":\"%s\"}",
				    i ? "," : "", saved->layers[i].size, digest);
	}
	return status < 0 ? status : buf_append_string(out, "]}", error);
}

int docker_saved_open(struct transport **out, struct file_set *files, struct docker_items *items,
		      const struct docker_item *item, const struct reference *reference,
		      const struct docker_archive_options *options, struct mkrootfs_error *error)
{
	struct docker_saved *saved = calloc(1, sizeof(*saved));
	int status;

	*out = NULL;
	if (!saved)
		return error_no_memory(error);
	saved->transport.ops = &saved_ops;
	saved->reference = *reference;
	saved->files = files;
	saved->items = *items;
	saved->item = *item;
	status = read_config(saved, error);
	if (status == 0)
		status = docker_saved_load_layers(saved, options, error);
	if (status == 0)
		status = write_manifest(saved, error);
	if (status < 0) {
		saved->files = NULL;
		saved->items.root = NULL;
		saved_close(&saved->transport);
		return status;
	}
	items->root = NULL;
	*out = &saved->transport;
	return 0;
}
