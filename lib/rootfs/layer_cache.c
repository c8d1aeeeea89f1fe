/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_cache.h"

#include "../erofs/reader.h"
#include "../io/clock.h"
#include "../store/lock.h"
#include "identity.h"
#include "layer_blob.h"
#include "layer_stages.h"
#include "layer_times.h"

#include <string.h>

bool layer_is_valid(const char *path, const struct digest *diff_id)
{
	const struct erofs_superblock *sb;
	struct mkrootfs_error ignored;
	struct erofs_reader *reader;
	uint8_t uuid[UUID_SIZE];
	bool valid;

	if (identity_of_layer(uuid, diff_id, &ignored) < 0 ||
	    erofs_reader_open(&reader, path, &ignored) < 0)
		return false;
	sb = erofs_reader_superblock(reader);
	valid = !memcmp(sb->uuid, uuid, UUID_SIZE) &&
		erofs_reader_size(reader) == (uint64_t)sb->blocks << EROFS_BLOCK_BITS;
	erofs_reader_close(reader);
	return valid;
}

static int commit(struct image_file *file, const char *path, struct layer_clocks *clocks,
		  struct mkrootfs_error *error)
{
	uint64_t start = clocks ? clock_nanoseconds() : 0;
	int status = image_file_commit(file, path, IMAGE_FILE_REPLACE, error);

	if (clocks)
		clocks->sync = clock_nanoseconds() - start;
	return status;
}

static int convert(const struct store *store, const char *path, struct source *source,
		   const struct layer_options *options, struct mkrootfs_error *error)
{
	struct image_file *file;
	struct digest diff_id;
	int status = image_file_create(&file, store_tmp(store), error);

	if (status < 0) {
		source_close(source);
		return status;
	}
	status = layer_convert(file, &diff_id, source, options, error);
	if (status == 0)
		status = commit(file, path, options->clocks, error);
	if (status < 0) {
		tree_free(options->made->tree);
		options->made->tree = NULL;
	}
	image_file_close(file);
	return status;
}

/*
 * From one source of the blob after another, until it was read whole: what is wrong with its
 * content then, all sources have.
 */
static int fetch(const char *path, const struct layer_request *request, struct events *events,
		 struct mkrootfs_error *error)
{
	struct layer_blob blob;
	struct layer_clocks clocks;
	const struct layer_options options = { .blob = &request->blob->digest,
					       .blob_size = request->blob->size,
					       .blob_seen = &blob.seen,
					       .diff_id = request->diff_id,
					       .limits = request->limits,
					       .stages = request->stages,
					       .clocks = request->times ? &clocks : NULL,
					       .made = request->made,
					       .events = events };
	struct source *source;
	int status = layer_blob_begin(&blob, request, error);

	if (status < 0)
		return status;
	do {
		clocks = (struct layer_clocks){ 0 };
		if (request->stages)
			layer_stages_begin(request->stages, events);
		status = layer_blob_open(&blob, &source, error);
		if (status == 0)
			status = convert(request->store, path, source, &options, error);
	} while (status < 0 && layer_blob_again(&blob, error));
	if (request->times)
		layer_times_take(request->times, &clocks);
	layer_blob_end(&blob, status);
	return status;
}

/* Under the lock: another process may have made it while this one waited. */
static int ensure_locked(bool *reused, const char *path, const struct layer_request *request,
			 struct events *events, struct mkrootfs_error *error)
{
	struct buf lock_path = BUF_INIT(STORE_PATH_MAX);
	struct lock *lock = NULL;
	int status = store_lock_path(&lock_path, request->store, error);

	if (status == 0)
		status = lock_take(&lock, (char *)lock_path.data, request->diff_id, events_wait,
				   events, error);
	buf_free(&lock_path);
	if (status < 0)
		return status;
	*reused = layer_is_valid(path, request->diff_id);
	if (!*reused)
		status = fetch(path, request, events, error);
	lock_release(lock);
	return status;
}

int layer_ensure(bool *reused, const struct layer_request *request, struct events *events,
		 struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = store_layer_path(&path, request->store, request->diff_id, error);

	*request->made = (struct made_layer){ 0 };
	*reused = status == 0 && layer_is_valid((char *)path.data, request->diff_id);
	if (status == 0 && !*reused)
		status = ensure_locked(reused, (char *)path.data, request, events, error);
	buf_free(&path);
	return status;
}
