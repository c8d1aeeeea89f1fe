/* SPDX-License-Identifier: Apache-2.0 */
#include "save.h"

#include "../oci/layout.h"
#include "../tar/writer.h"
#include "save_layer.h"
#include "save_parts.h"

#include <string.h>

struct saving {
	const struct mkrootfs_image *image;
	const struct save_options *options;
	struct save_parts parts;
	struct tar_writer *tar;
};

/* A sink for the content of the current member. */
struct member_sink {
	struct sink sink;
	struct tar_writer *tar;
};

static int member_write(struct sink *sink, const void *data, size_t len,
			struct mkrootfs_error *error)
{
	return tar_writer_data(((struct member_sink *)sink)->tar, data, len, error);
}

/* Times, owners and modes are the same in all archives. */
static int begin_file(struct saving *s, const char *name, uint64_t size,
		      struct mkrootfs_error *error)
{
	const struct tar_entry entry = { .type = TAR_FILE,
					 .path = name,
					 .path_len = strlen(name),
					 .link = "",
					 .mode = 0644,
					 .size = size };

	return tar_writer_entry(s->tar, &entry, NULL, 0, error);
}

static int put_folder(struct saving *s, const char *name, struct mkrootfs_error *error)
{
	const struct tar_entry entry = { .type = TAR_DIRECTORY,
					 .path = name,
					 .path_len = strlen(name),
					 .link = "",
					 .mode = 0755 };

	return tar_writer_entry(s->tar, &entry, NULL, 0, error);
}

static int put_file(struct saving *s, const char *name, const void *data, size_t len,
		    struct mkrootfs_error *error)
{
	int status = begin_file(s, name, len, error);

	return status < 0 ? status : tar_writer_data(s->tar, data, len, error);
}

static int put_blob(struct saving *s, const struct descriptor *blob, const struct buf *bytes,
		    struct mkrootfs_error *error)
{
	char name[LAYOUT_BLOB_NAME_SIZE];

	layout_blob_name(name, &blob->digest);
	return put_file(s, name, bytes->data, bytes->len, error);
}

/* ---- Layers ---- */

static int put_source(struct saving *s, struct source *source, struct mkrootfs_error *error)
{
	const uint8_t *data;
	uint64_t done = 0;
	size_t len;
	int status;

	while ((status = source_next(source, &data, &len, error)) == 0 && len > 0) {
		status = tar_writer_data(s->tar, data, len, error);
		done += len;
		if (status == 0)
			status = events_report(s->options->events, MKROOTFS_EVENT_EXPORT_PROGRESS,
					       done, error);
		if (status < 0)
			return status;
	}
	return status;
}

static int copy_layer(struct saving *s, const struct descriptor *layer,
		      struct mkrootfs_error *error)
{
	const struct source_check check = { .expected = &layer->digest,
					    .size = layer->size,
					    .what = "blob" };
	struct source *raw, *verified;
	int status;

	s->options->events->total = (uint64_t)layer->size;
	status = transport_open_blob(s->options->source, &raw, layer, 0, error);

	if (status < 0)
		return status;
	if (source_verify(&verified, raw, &check, error) < 0) {
		source_close(raw);
		return error->status;
	}
	status = put_source(s, verified, error);
	source_close(verified);
	return status;
}

static int make_layer(struct saving *s, size_t index, struct mkrootfs_error *error)
{
	const struct descriptor *layer = &s->parts.layers[index];
	struct member_sink member = { .sink = { member_write }, .tar = s->tar };
	struct digest digest;
	uint64_t size;
	int status = save_layer(&member.sink, &digest, &size, s->image->layers[index].path,
				s->options->events, error);

	if (status == 0 && !digest_equal(&digest, &layer->digest))
		status = error_set(error, MKROOTFS_ERROR_MALFORMED,
				   "its image has changed while it was saved");
	return status;
}

static bool was_put(const struct saving *s, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (digest_equal(&s->parts.layers[i].digest, &s->parts.layers[index].digest))
			return true;
	return false;
}

static int put_layer(struct saving *s, size_t index, struct mkrootfs_error *error)
{
	const struct descriptor *layer = &s->parts.layers[index];
	struct events *events = s->options->events;
	char name[LAYOUT_BLOB_NAME_SIZE];
	int status;

	if (was_put(s, index))
		return 0;
	events->layer_index = (uint32_t)index;
	events->layer_count = (uint32_t)s->parts.layer_count;
	digest_format(events->digest, &layer->digest);
	layout_blob_name(name, &layer->digest);
	status = begin_file(s, name, (uint64_t)layer->size, error);
	if (status == 0)
		status = s->options->source ? copy_layer(s, layer, error)
					    : make_layer(s, index, error);
	if (status == 0)
		return 0;
	return error_prefix(error, "layer %zu/%zu %.19s: ", index + 1, s->parts.layer_count,
			    events->digest);
}

static int put_layers(struct saving *s, struct mkrootfs_error *error)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < s->parts.layer_count; i++)
		status = put_layer(s, i, error);
	return status;
}

/* ---- The archive ---- */

/* Small and asked for first, so first: who reads a stream knows at once what will come. */
static int put_lists(struct saving *s, struct mkrootfs_error *error)
{
	static const char marker[] = "{\"imageLayoutVersion\":\"1.0.0\"}";
	int status = put_file(s, "oci-layout", marker, strlen(marker), error);

	if (status == 0)
		status = put_file(s, "index.json", s->parts.index, strlen(s->parts.index), error);
	if (status == 0 && s->parts.docker_list)
		status = put_file(s, "manifest.json", s->parts.docker_list,
				  strlen(s->parts.docker_list), error);
	if (status == 0)
		status = put_folder(s, "blobs", error);
	if (status == 0)
		status = put_folder(s, "blobs/sha256", error);
	return status;
}

static int put_all(struct saving *s, struct mkrootfs_error *error)
{
	int status = put_lists(s, error);

	if (status == 0)
		status = put_blob(s, &s->parts.manifest_descriptor, &s->parts.manifest, error);
	if (status == 0)
		status = put_blob(s, &s->parts.config_descriptor, &s->parts.config, error);
	if (status == 0)
		status = put_layers(s, error);
	return status < 0 ? status : tar_writer_finish(s->tar, error);
}

int save(struct sink *out, const struct mkrootfs_image *image, const struct save_options *options,
	 struct mkrootfs_error *error)
{
	struct saving s = { .image = image, .options = options };
	int status = save_parts_make(&s.parts, image, options, error);

	if (status < 0)
		return status;
	status = tar_writer_create(&s.tar, out, error);
	if (status == 0)
		status = put_all(&s, error);
	tar_writer_close(s.tar);
	save_parts_free(&s.parts);
	return status;
}
