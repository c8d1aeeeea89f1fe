/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_stream.h"

#include "layer_stages.h"
#include "layer_times.h"
#include "limits.h"

/* Puts a wrapper in the place of what it wraps, or closes that. */
static int wrap(struct source **stream, struct source *wrapper, int status)
{
	if (status < 0)
		source_close(*stream);
	*stream = status < 0 ? NULL : wrapper;
	return status;
}

static int check_blob(struct source **stream, const struct layer_options *options,
		      struct mkrootfs_error *error)
{
	const struct source_check check = { .expected = options->blob,
					    .size = options->blob_size,
					    .what = "blob",
					    .actual = options->blob_seen };
	struct source *wrapper = NULL;
	int status;

	if (!options->blob)
		return 0;
	status = source_verify(&wrapper, *stream, &check, error);
	return wrap(stream, wrapper, status);
}

/* From here on another thread may be ahead. */
static int read_ahead(struct source **stream, enum layer_stage_kind kind,
		      const struct layer_options *options, struct mkrootfs_error *error)
{
	struct source *wrapper = NULL;
	struct source_ahead ahead;
	int status;

	if (!options->stages)
		return 0;
	ahead = *layer_stages_options(options->stages, kind);
	ahead.waited = options->clocks ? &options->clocks->waited : NULL;
	status = source_ahead(&wrapper, *stream, &ahead, error);
	return wrap(stream, wrapper, status);
}

/* Adds to *spent the time of all so far. */
static int time_it(struct source **stream, uint64_t *spent, const struct layer_options *options,
		   struct mkrootfs_error *error)
{
	struct source *wrapper = NULL;
	int status;

	if (!options->clocks)
		return 0;
	status = source_clock(&wrapper, *stream, spent, error);
	return wrap(stream, wrapper, status);
}

/* *meter counts the blob's bytes that were unpacked; it is the stream's. */
static int count_packed(struct source **stream, const struct source **meter,
			struct mkrootfs_error *error)
{
	struct source *wrapper = NULL;
	int status = source_meter(&wrapper, *stream, UINT64_MAX, "blob", NULL, NULL, error);

	*meter = wrapper;
	return wrap(stream, wrapper, status);
}

/* In the terms of the blob, on the thread that uses the stream. */
static int tell_progress(struct source **stream, const struct source *packed,
			 const struct layer_options *options, struct mkrootfs_error *error)
{
	struct source *wrapper = NULL;
	int status =
		source_progress(&wrapper, *stream, packed, events_progress, options->events, error);

	return wrap(stream, wrapper, status);
}

static int decompress(struct source **stream, enum compression *found, struct mkrootfs_error *error)
{
	struct source *wrapper = NULL;
	int status = source_decompress(&wrapper, found, *stream, error);

	return wrap(stream, wrapper, status);
}

static int note_size(void *user, uint64_t done)
{
	*(uint64_t *)user = done;
	return 0;
}

static int cap(struct source **stream, const struct layer_options *options,
	       struct mkrootfs_error *error)
{
	struct source *wrapper = NULL;
	int status = source_meter(&wrapper, *stream, options->limits.unpacked_size,
				  "the unpacked layer (limits.unpacked_size)",
				  options->tar_size ? note_size : NULL, options->tar_size, error);

	return wrap(stream, wrapper, status);
}

static int cap_ratio(struct source **stream, const struct source *packed,
		     const struct layer_options *options, struct mkrootfs_error *error)
{
	const struct source_ratio rule = { .packed = packed,
					   .ratio = options->limits.ratio,
					   .free = LIMITS_RATIO_FREE,
					   .what = "the unpacked layer (limits.ratio)" };
	struct source *wrapper = NULL;
	int status = source_ratio(&wrapper, *stream, &rule, error);

	return wrap(stream, wrapper, status);
}

static int check_diff_id(struct source **stream, struct digest *diff_id,
			 enum compression compression, const struct layer_options *options,
			 struct mkrootfs_error *error)
{
	const struct source_check check = {
		.expected = options->diff_id, .size = -1, .what = "diff ID", .actual = diff_id
	};
	struct source *wrapper = NULL;
	int status;

	/* An uncompressed blob is its own tar: one hash says both. */
	if (compression == COMPRESSION_NONE && options->blob && options->diff_id &&
	    digest_equal(options->blob, options->diff_id)) {
		*diff_id = *options->diff_id;
		return 0;
	}
	status = source_verify(&wrapper, *stream, &check, error);
	return wrap(stream, wrapper, status);
}

int layer_stream_receive(struct source **stream, const struct layer_options *options,
			 struct mkrootfs_error *error)
{
	struct layer_clocks unread, *clocks = options->clocks ? options->clocks : &unread;
	int status = time_it(stream, &clocks->received, options, error);

	if (status == 0)
		status = check_blob(stream, options, error);
	return status < 0 ? status : time_it(stream, &clocks->checked, options, error);
}

static int open_packed(struct source **stream, struct layer_clocks *clocks,
		       const struct layer_options *options, struct mkrootfs_error *error)
{
	int status = options->is_received ? 0 : layer_stream_receive(stream, options, error);

	if (status == 0 && !options->is_received)
		status = read_ahead(stream, LAYER_STAGE_RECEIVE, options, error);
	return status < 0 ? status : time_it(stream, &clocks->arrived, options, error);
}

static int open_unpacked(struct source **stream, const struct source **packed,
			 enum compression *found, const struct layer_options *options,
			 struct mkrootfs_error *error)
{
	int status = count_packed(stream, packed, error);

	if (status == 0)
		status = decompress(stream, found, error);
	if (status == 0)
		status = cap(stream, options, error);
	return status < 0 ? status : cap_ratio(stream, *packed, options, error);
}

/* Without a decompression there is nothing worth a thread. */
static int open_ready(struct source **stream, struct layer_clocks *clocks,
		      enum compression compression, const struct layer_options *options,
		      struct mkrootfs_error *error)
{
	int status = time_it(stream, &clocks->unpacked, options, error);

	if (status == 0 && compression != COMPRESSION_NONE)
		status = read_ahead(stream, LAYER_STAGE_UNPACK, options, error);
	return status < 0 ? status : time_it(stream, &clocks->ready, options, error);
}

int layer_stream_open(struct source **out, struct digest *diff_id, struct source *blob,
		      const struct layer_options *options, struct mkrootfs_error *error)
{
	enum compression compression = COMPRESSION_NONE;
	struct layer_clocks unread, *clocks = options->clocks ? options->clocks : &unread;
	const struct source *packed = NULL;
	int status;

	*out = blob;
	status = open_packed(out, clocks, options, error);
	if (status == 0)
		status = open_unpacked(out, &packed, &compression, options, error);
	if (status == 0)
		status = open_ready(out, clocks, compression, options, error);
	if (status == 0)
		status = tell_progress(out, packed, options, error);
	if (status == 0)
		status = check_diff_id(out, diff_id, compression, options, error);
	return status < 0 ? status : time_it(out, &clocks->hashed, options, error);
}
