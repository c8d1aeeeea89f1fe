/* SPDX-License-Identifier: Apache-2.0 */
#define ZLIB_CONST /* zlib's next_in is then const */
#include "inflate.h"

#include <stdlib.h>
#include <zlib.h>

#define RUN_MAX (1u << 30) /* bytes of one call: zlib counts in unsigned int */

static int zlib_create(void **state, struct mkrootfs_error *error)
{
	z_stream *stream = calloc(1, sizeof(*stream));

	*state = NULL;
	if (!stream)
		return error_no_memory(error);
	if (inflateInit2(stream, -MAX_WBITS) != Z_OK) {
		free(stream);
		return error_no_memory(error);
	}
	*state = stream;
	return 0;
}

static void zlib_reset(void *state)
{
	inflateReset(state);
}

static uInt clamp(size_t len)
{
	return len < RUN_MAX ? (uInt)len : RUN_MAX;
}

static int zlib_run(void *state, struct inflate_io *io, struct mkrootfs_error *error)
{
	z_stream *stream = state;
	uInt in_len = clamp(io->in_len), out_room = clamp(io->out_room);
	int result;

	stream->next_in = io->in;
	stream->avail_in = in_len;
	stream->next_out = io->out;
	stream->avail_out = out_room;
	result = inflate(stream, Z_NO_FLUSH);
	io->in += in_len - stream->avail_in;
	io->in_len -= in_len - stream->avail_in;
	io->out += out_room - stream->avail_out;
	io->out_room -= out_room - stream->avail_out;
	io->ended = result == Z_STREAM_END;
	io->tail_len = 0;
	if (result == Z_MEM_ERROR)
		return error_no_memory(error);
	if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "invalid deflate data");
	return 0;
}

static uint32_t zlib_crc32(uint32_t crc, const uint8_t *data, size_t len)
{
	return (uint32_t)crc32_z(crc, data, len);
}

static void zlib_destroy(void *state)
{
	if (state)
		inflateEnd(state);
	free(state);
}

const struct inflate_engine inflate_zlib = {
	.name = "zlib",
	.create = zlib_create,
	.reset = zlib_reset,
	.run = zlib_run,
	.crc32 = zlib_crc32,
	.destroy = zlib_destroy,
};
