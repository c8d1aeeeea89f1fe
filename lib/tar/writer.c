/* SPDX-License-Identifier: Apache-2.0 */
#include "writer_state.h"

#include "extensions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAP_MAX (64u << 20) /* bytes: 21 for each of two numbers and TAR_SPARSE_MAX_RANGES */

int tar_writer_create(struct tar_writer **out, struct sink *sink, struct mkrootfs_error *error)
{
	struct tar_writer *writer = malloc(sizeof(*writer));

	*out = NULL;
	if (!writer)
		return error_no_memory(error);
	writer->sink = sink;
	writer->left = 0;
	writer->padding = 0;
	writer->path = BUF_INIT(TAR_NAME_MAX + 1);
	writer->records = BUF_INIT(TAR_EXTENDED_MAX);
	writer->map = BUF_INIT(MAP_MAX);
	writer->pending_len = 0;
	*out = writer;
	return 0;
}

void tar_writer_close(struct tar_writer *writer)
{
	if (!writer)
		return;
	buf_free(&writer->path);
	buf_free(&writer->records);
	buf_free(&writer->map);
	free(writer);
}

/* ---- Bytes ---- */

static int flush(struct tar_writer *writer, struct mkrootfs_error *error)
{
	size_t len = writer->pending_len;

	writer->pending_len = 0;
	return sink_write(writer->sink, writer->pending, len, error);
}

/* Large pieces pass through without a copy. */
int tar_writer_put(struct tar_writer *writer, const void *data, size_t len,
		   struct mkrootfs_error *error)
{
	if (len == 0)
		return 0;
	if (len > TAR_PENDING_SIZE - writer->pending_len) {
		int status = flush(writer, error);

		if (status < 0)
			return status;
		if (len >= TAR_PENDING_SIZE / 2)
			return sink_write(writer->sink, data, len, error);
	}
	memcpy(writer->pending + writer->pending_len, data, len);
	writer->pending_len += len;
	return 0;
}

int tar_writer_put_zeros(struct tar_writer *writer, unsigned len, struct mkrootfs_error *error)
{
	static const uint8_t zeros[TAR_BLOCK_SIZE];

	return tar_writer_put(writer, zeros, len, error);
}

/* What the entry before still owes. */
static int end_entry(struct tar_writer *writer, struct mkrootfs_error *error)
{
	unsigned padding = writer->padding;

	if (writer->left > 0)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "tar: %" PRIu64 " bytes of an entry's content are missing",
				 writer->left);
	writer->padding = 0;
	return tar_writer_put_zeros(writer, padding, error);
}

int tar_writer_data(struct tar_writer *writer, const void *data, size_t len,
		    struct mkrootfs_error *error)
{
	if (len > writer->left)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "tar: more content than the entry's size");
	writer->left -= len;
	return tar_writer_put(writer, data, len, error);
}

int tar_writer_finish(struct tar_writer *writer, struct mkrootfs_error *error)
{
	int status = end_entry(writer, error);

	for (int i = 0; status == 0 && i < 2; i++)
		status = tar_writer_put_zeros(writer, TAR_BLOCK_SIZE, error);
	return status < 0 ? status : flush(writer, error);
}

int tar_writer_entry(struct tar_writer *writer, const struct tar_entry *entry,
		     const struct tar_range *ranges, size_t range_count,
		     struct mkrootfs_error *error)
{
	uint64_t stored;
	int status = end_entry(writer, error);

	if (status == 0)
		status = tar_writer_put_headers(writer, &stored, entry, ranges, range_count, error);
	if (status < 0)
		return status;
	writer->left = stored - writer->map.len;
	writer->padding = tar_padding(stored);
	return 0;
}
