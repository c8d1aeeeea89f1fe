/* SPDX-License-Identifier: Apache-2.0 */
#include "block_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STREAM_SIZE (1u << 18) /* bytes of a piece */

int block_stream_open(struct block_stream *stream, const struct erofs_reader *reader,
		      struct mkrootfs_error *error)
{
	uint64_t size = erofs_reader_size(reader);

	*stream = (struct block_stream){ .extents = erofs_reader_extents(reader) };
	stream->room = size < STREAM_SIZE ? (size_t)size : STREAM_SIZE;
	stream->bytes = malloc(stream->room);
	return stream->bytes ? 0 : error_no_memory(error);
}

void block_stream_close(struct block_stream *stream)
{
	free(stream->bytes);
	stream->bytes = NULL;
}

static int fill(struct block_stream *stream, uint64_t offset, uint64_t len,
		struct mkrootfs_error *error)
{
	int status;

	stream->start = offset;
	stream->len = len < stream->room ? (size_t)len : stream->room;
	status = extents_read(stream->extents, offset, stream->bytes, stream->len, error);
	if (status < 0)
		stream->len = 0;
	return status;
}

/*
 * Lends bytes from offset on, at least one and none from end on. Where the disk cannot read all of
 * a large piece, what was asked for may be readable.
 */
static int lend(struct block_stream *stream, const uint8_t **out, size_t *len, uint64_t offset,
		uint64_t end, struct mkrootfs_error *error)
{
	if (offset < stream->start || offset >= stream->start + stream->len) {
		int status = fill(stream, offset, extents_size(stream->extents) - offset, error);

		if (status == MKROOTFS_ERROR_IO)
			status = fill(stream, offset, end - offset, error);
		if (status < 0)
			return status;
	}
	*out = stream->bytes + (offset - stream->start);
	*len = stream->len - (size_t)(offset - stream->start);
	if (*len > end - offset)
		*len = (size_t)(end - offset);
	return 0;
}

int block_stream_hash(struct block_stream *stream, struct xxh3 *hash, uint64_t offset, uint64_t end,
		      struct mkrootfs_error *error)
{
	while (offset < end) {
		const uint8_t *bytes;
		size_t len;
		int status = lend(stream, &bytes, &len, offset, end, error);

		if (status < 0)
			return status;
		xxh3_update(hash, bytes, len);
		offset += len;
	}
	return 0;
}

/* Where data may follow; where the filesystem does not tell, that is here. */
static uint64_t next_data(const struct block_stream *stream, uint64_t offset)
{
#ifdef SEEK_DATA
	struct extent_place place;
	off_t data;

	if (!extents_find(&place, stream->extents, offset))
		return offset;
	data = lseek(place.fd, (off_t)place.offset, SEEK_DATA);
	if (data < 0)
		return errno == ENXIO ? offset + place.left : offset;
	if ((uint64_t)data - place.offset > place.left)
		return offset + place.left;
	return offset + ((uint64_t)data - place.offset);
#else
	(void)stream;
	return offset;
#endif
}

static bool is_zero(const uint8_t *bytes, size_t len)
{
	return bytes[0] == 0 && !memcmp(bytes, bytes + 1, len - 1);
}

int block_stream_zeros(struct block_stream *stream, bool *zeros, uint64_t offset, uint64_t end,
		       struct mkrootfs_error *error)
{
	*zeros = true;
	while (*zeros && (offset = next_data(stream, offset)) < end) {
		const uint8_t *bytes;
		size_t len;
		int status = lend(stream, &bytes, &len, offset, end, error);

		if (status < 0)
			return status;
		*zeros = is_zero(bytes, len);
		offset += len;
	}
	return 0;
}
