/* SPDX-License-Identifier: Apache-2.0 */
#include "layer.h"

#include "../erofs/data.h"
#include "../erofs/layout.h"
#include "../erofs/marks.h"
#include "../erofs/metadata.h"
#include "../io/clock.h"
#include "../tar/reader.h"
#include "archive_scheme.h"
#include "identity.h"
#include "layer_entry.h"
#include "layer_stream.h"
#include "layer_times.h"

#include <inttypes.h>

/* Everything that lives while one layer is converted. */
struct conversion {
	const struct layer_options *options;
	struct image_file *file;
	struct source *stream;
	struct tar_reader *tar;
	struct layer_tree *layer;
	struct erofs_data *data;
	struct layer_entry entry;
	struct digest diff_id;
	uint32_t blocks; /* of the whole image */
};

/* *named is set when the error is the reader's, which names the entry itself. */
static int copy_data(struct conversion *c, bool *named, const struct tar_entry *entry,
		     struct tree_inode *inode, struct mkrootfs_error *error)
{
	struct tar_data piece;
	int status = erofs_data_begin(c->data, entry->size, entry->sparse, error);

	while (status == 0) {
		status = tar_reader_data(c->tar, &piece, error);
		*named = status < 0;
		if (status < 0 || piece.len == 0)
			break;
		status = erofs_data_append(c->data, piece.offset, piece.data, piece.len, error);
	}
	return status < 0 ? status : erofs_data_end(c->data, inode, error);
}

static int add_entry(struct conversion *c, const struct tar_entry *entry,
		     struct mkrootfs_error *error)
{
	struct tree_inode inode;
	bool named = false;
	int status = layer_entry_inode(&c->entry, &inode, entry, error);

	/* A million empty files need not be told that they are. */
	if (status == 0 && entry->type == TAR_FILE && (entry->size > 0 || entry->sparse))
		status = copy_data(c, &named, entry, &inode, error);
	if (status == 0)
		status = layer_entry_put(&c->entry, entry, &inode, error);
	if (status < 0 && !named)
		return error_prefix(error, "tar entry '%.400s': ", entry->path);
	return status;
}

static int read_entries(struct conversion *c, struct mkrootfs_error *error)
{
	const struct tar_entry *entry;
	int status;

	while ((status = tar_reader_next(c->tar, &entry, error)) > 0) {
		status = add_entry(c, entry, error);
		if (status < 0)
			return status;
	}
	return status;
}

static void warn_dropped_bytes(struct conversion *c)
{
	uint64_t dropped = source_dropped(c->stream);
	struct mkrootfs_error text;

	if (dropped == 0)
		return;
	error_set(&text, 0, "%" PRIu64 " bytes behind the end of the compressed data were ignored",
		  dropped);
	events_warn(c->options->events, text.message);
}

static void warn_dropped_xattrs(struct conversion *c)
{
	const struct dropped_xattrs *dropped = &c->entry.dropped;
	struct mkrootfs_error text;

	if (dropped->count == 0)
		return;
	error_set(&text, 0,
		  "extended attributes that EROFS cannot hold were dropped: %" PRIu64
		  ", the first is '%s' of '%s'",
		  dropped->count, dropped->name, dropped->path);
	events_warn(c->options->events, text.message);
}

/* Somebody may want it so: what else could be told from it than a container's files? */
static void warn_of_images(const struct conversion *c)
{
	const char *scheme = archive_scheme(c->layer->tree);
	struct mkrootfs_error text;

	if (!scheme)
		return;
	error_set(&text, 0,
		  "this tar is an archive of images, not a root filesystem: %sFILE reads the "
		  "image in it, tar:FILE makes one of the archive's own files",
		  scheme);
	events_warn(c->options->events, text.message);
}

/* The tail behind the archive's end is part of what the digests cover. */
static int read_layer(struct conversion *c, struct mkrootfs_error *error)
{
	int status = read_entries(c, error);

	erofs_data_finish(c->data);
	if (status == 0)
		status = source_drain(c->stream, UINT64_MAX, error);
	if (status == 0)
		status = layer_tree_finish(c->layer, error);
	if (status == 0)
		status = erofs_marks_add(c->layer->tree, error);
	if (status < 0)
		return status;
	warn_dropped_bytes(c);
	warn_dropped_xattrs(c);
	if (c->options->is_whole)
		warn_of_images(c);
	return events_check(c->options->events, error);
}

static int write_metadata(struct conversion *c, struct mkrootfs_error *error)
{
	struct erofs_layout plan;
	uint8_t uuid[UUID_SIZE];
	const struct erofs_metadata_options options = { .uuid = uuid,
							.contents = erofs_data_contents(c->data) };
	int status = identity_of_layer(uuid, &c->diff_id, error);

	if (status == 0)
		status = erofs_layout_plan(&plan, c->layer->tree, erofs_data_end_block(c->data),
					   error);
	if (status < 0)
		return status;
	status = erofs_metadata_write(c->file, &plan, &options, error);
	c->blocks = plan.first_block + (uint32_t)(plan.end / EROFS_BLOCK_SIZE) +
		    erofs_metadata_table_blocks(&options);
	erofs_layout_free(&plan);
	return status;
}

/* The marks were for the image: the merge takes them as flags. */
static int hand_over(struct conversion *c, struct made_layer *made, struct mkrootfs_error *error)
{
	int status = erofs_marks_take(c->layer->tree, error);

	if (status < 0)
		return status;
	*made = (struct made_layer){ c->layer->tree, c->blocks };
	c->layer->tree = NULL;
	return 0;
}

static int open_all(struct conversion *c, struct source *blob, struct mkrootfs_error *error)
{
	const struct mkrootfs_limits *limits = &c->options->limits;
	const struct tar_reader_options tar_options = {
		.max_entries = limits->entries,
		.max_xattr_bytes = limits->xattr_bytes,
		.warn = events_warn,
		.user = c->options->events,
	};
	int status = layer_stream_open(&c->stream, &c->diff_id, blob, c->options, error);

	if (status == 0)
		status = tar_reader_create(&c->tar, c->stream, &tar_options, error);
	if (status == 0)
		status = layer_tree_create(&c->layer, limits->path_depth, error);
	if (status == 0)
		status = erofs_data_create(&c->data, c->file, c->layer->tree, error);
	c->entry = (struct layer_entry){ .layer = c->layer,
					 .path = ENTRY_PATH_INIT,
					 .link = BUF_INIT(1 << 20) };
	return status;
}

static void close_all(struct conversion *c)
{
	layer_entry_free(&c->entry);
	erofs_data_free(c->data);
	layer_tree_free(c->layer);
	tar_reader_close(c->tar);
	source_close(c->stream);
}

int layer_convert(struct image_file *file, struct digest *diff_id, struct source *blob,
		  const struct layer_options *options, struct mkrootfs_error *error)
{
	struct conversion c = { .options = options, .file = file };
	uint64_t start = options->clocks ? clock_nanoseconds() : 0;
	int status = open_all(&c, blob, error);

	if (options->stages)
		image_file_sync_early(file);
	if (options->made)
		*options->made = (struct made_layer){ 0 };
	if (status == 0)
		status = read_layer(&c, error);
	if (status == 0)
		status = write_metadata(&c, error);
	if (status == 0 && options->made)
		status = hand_over(&c, options->made, error);
	*diff_id = c.diff_id;
	close_all(&c);
	if (options->clocks)
		options->clocks->whole = clock_nanoseconds() - start;
	return status;
}
