/* SPDX-License-Identifier: Apache-2.0 */
#include "tar_image.h"

#include "../io/clock.h"
#include "../oci/document.h"
#include "layer_cache.h"
#include "layer_pump.h"
#include "layer_times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DOCUMENT_CAP 4096u /* bytes; of what is written here */

struct tar_image {
	struct transport transport;
	struct digest diff_id;
	uint64_t size; /* bytes of the tar */
	struct buf config;
	struct buf manifest;
};

/* ---- The transport ---- */

static int tar_fetch_manifest(struct transport *transport, struct transport_document *out,
			      const char *tag_or_digest, struct mkrootfs_error *error)
{
	struct tar_image *image = (struct tar_image *)transport;

	if (tag_or_digest)
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND, "there is no manifest %s",
				 tag_or_digest);
	strcpy(out->media_type, MEDIA_OCI_MANIFEST);
	return buf_append(&out->bytes, image->manifest.data, image->manifest.len, error);
}

/* The layer is in the store, so that nobody asks for it, unless it was removed this moment. */
static int tar_open_blob(struct transport *transport, struct source **out,
			 const struct descriptor *descriptor, uint64_t offset,
			 struct mkrootfs_error *error)
{
	struct tar_image *image = (struct tar_image *)transport;
	const struct buf *config = &image->config;

	*out = NULL;
	if (digest_equal(&descriptor->digest, &image->diff_id) || offset > config->len)
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND,
				 "the layer has gone from the store; pull again");
	return source_memory(out, config->data + offset, config->len - offset, error);
}

static void tar_close(struct transport *transport)
{
	struct tar_image *image = (struct tar_image *)transport;

	buf_free(&image->manifest);
	buf_free(&image->config);
	free(image);
}

static const struct transport_ops tar_ops = { tar_fetch_manifest, tar_open_blob, tar_close, NULL };

/* ---- The layer ---- */

static int convert(struct image_file *file, struct tar_image *image, struct made_layer *made,
		   struct archive_file *archive, const struct tar_image_options *options,
		   struct layer_clocks *clocks, struct mkrootfs_error *error)
{
	const struct layer_options layer = { .blob_size = -1,
					     .limits = *options->limits,
					     .events = options->events,
					     .clocks = options->times ? clocks : NULL,
					     .is_whole = true,
					     .made = made,
					     .tar_size = &image->size };
	struct source *source;

	if (archive_file_source(&source, archive, options->events, error) < 0)
		return error->status;
	return layer_pump_convert(file, &image->diff_id, source, &layer, options->threads, error);
}

static int publish(struct image_file *file, bool *fresh, const struct tar_image *image,
		   const struct tar_image_options *options, struct layer_clocks *clocks,
		   struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	uint64_t start = options->times ? clock_nanoseconds() : 0;
	int status = store_layer_path(&path, options->store, &image->diff_id, error);

	*fresh = status == 0 && !layer_is_valid((char *)path.data, &image->diff_id);
	if (*fresh)
		status = image_file_commit(file, (char *)path.data, IMAGE_FILE_REPLACE, error);
	buf_free(&path);
	if (options->times)
		clocks->sync = clock_nanoseconds() - start;
	return status;
}

static int make_layer(struct tar_image *image, bool *fresh, struct made_layer *made,
		      struct archive_file *archive, const struct tar_image_options *options,
		      struct mkrootfs_error *error)
{
	struct layer_clocks clocks = { 0 };
	struct image_file *file;
	int status = image_file_create(&file, store_tmp(options->store), error);

	if (status < 0)
		return status;
	options->events->layer_count = 1;
	options->events->total = archive->size;
	status = convert(file, image, made, archive, options, &clocks, error);
	/* What a command in front of a pipe leaves when it fails. */
	if (status == 0 && image->size == 0)
		status = error_set(error, MKROOTFS_ERROR_MALFORMED, "this is no tar: it is empty");
	if (status == 0)
		status = publish(file, fresh, image, options, &clocks, error);
	if (options->times)
		layer_times_take(options->times, &clocks);
	image_file_close(file);
	return status;
}

/* ---- The documents ---- */

static int write_config(struct tar_image *image, const struct platform *platform,
			struct mkrootfs_error *error)
{
	bool variant = platform->variant[0] != '\0';
	char diff_id[DIGEST_TEXT_SIZE];

	image->config = BUF_INIT(DOCUMENT_CAP);
	digest_format(diff_id, &image->diff_id);
	return buf_printf(&image->config, error,
			  "{\"architecture\":\"%s\",\"os\":\"%s\",%s%s%s\"config\":{},"
			  "\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\"%s\"]}}",
			  platform->architecture, platform->os, variant ? "\"variant\":\"" : "",
			  platform->variant, variant ? "\"," : "", diff_id);
}

static int write_manifest(struct tar_image *image, struct mkrootfs_error *error)
{
	char config[DIGEST_TEXT_SIZE], layer[DIGEST_TEXT_SIZE];
	struct digest digest;

	if (digest_of(&digest, DIGEST_SHA256, image->config.data, image->config.len, error) < 0)
		return error->status;
	image->manifest = BUF_INIT(DOCUMENT_CAP);
	digest_format(config, &digest);
	digest_format(layer, &image->diff_id);
	return buf_printf(&image->manifest, error,
			  "{\"schemaVersion\":2,\"mediaType\":\"" MEDIA_OCI_MANIFEST "\","
			  "\"config\":{\"mediaType\":\"" MEDIA_OCI_CONFIG "\",\"digest\":\"%s\","
			  "\"size\":%zu},\"layers\":[{\"mediaType\":\"" MEDIA_OCI_LAYER
			  "\",\"digest\":\"%s\",\"size\":%" PRIu64 "}]}",
			  config, image->config.len, layer, image->size);
}

int tar_image_open(struct transport **out, bool *fresh, struct made_layer *made,
		   struct archive_file *file, const struct tar_image_options *options,
		   struct mkrootfs_error *error)
{
	struct tar_image *image = calloc(1, sizeof(*image));
	int status;

	*out = NULL;
	*made = (struct made_layer){ 0 };
	if (!image)
		return error_no_memory(error);
	image->transport.ops = &tar_ops;
	status = make_layer(image, fresh, made, file, options, error);
	if (status == 0)
		status = write_config(image, options->platform, error);
	if (status == 0)
		status = write_manifest(image, error);
	if (status < 0) {
		tar_close(&image->transport);
		tree_free(made->tree);
		made->tree = NULL;
		return status;
	}
	*out = &image->transport;
	return 0;
}
