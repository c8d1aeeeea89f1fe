/* SPDX-License-Identifier: Apache-2.0 */
#define ZLIB_CONST /* zlib's next_in is then const */
#include "inflate.h"

#include "../base/library.h"

#include <stdlib.h>
#include <zlib.h>

#define RUN_MAX (1u << 30) /* bytes of one call: zlib counts in unsigned int */

LIBRARY_NOTE(MKROOTFS_ZLIB, "gzip", "Layers that are compressed by gzip", "required");

#define FUNCTIONS(_)     \
	_(inflateInit2_) \
	_(inflateReset)  \
	_(inflate)       \
	_(inflateEnd)    \
	_(crc32_z)

#define POINTER(name) __typeof__(name) *name;
#define NAME(name) #name,

struct zlib_functions {
	FUNCTIONS(POINTER)
};

struct zlib {
	struct zlib_functions call;
	z_stream stream;
};

static int load_zlib(struct zlib_functions *functions, struct mkrootfs_error *error)
{
	static const char *const names[] = { FUNCTIONS(NAME) NULL };
	static const struct library library = {
		MKROOTFS_ZLIB,
		names,
		"gzip is unpacked by zlib: install the package that holds " MKROOTFS_ZLIB
		" (zlib1g in Debian, zlib in Fedora)",
	};

	return library_load(functions, &library, error);
}

static int zlib_create(void **state, struct mkrootfs_error *error)
{
	struct zlib *zlib = calloc(1, sizeof(*zlib));
	int status = zlib ? load_zlib(&zlib->call, error) : error_no_memory(error);

	*state = NULL;
	/* inflateInit2 is a macro. */
	if (status == 0 && zlib->call.inflateInit2_(&zlib->stream, -MAX_WBITS, ZLIB_VERSION,
						    sizeof(zlib->stream)) != Z_OK)
		status = error_no_memory(error);
	if (status < 0)
		free(zlib);
	else
		*state = zlib;
	return status;
}

static void zlib_reset(void *state)
{
	struct zlib *zlib = state;

	zlib->call.inflateReset(&zlib->stream);
}

static uInt clamp(size_t len)
{
	return len < RUN_MAX ? (uInt)len : RUN_MAX;
}

static int zlib_run(void *state, struct inflate_io *io, struct mkrootfs_error *error)
{
	struct zlib *zlib = state;
	z_stream *stream = &zlib->stream;
	uInt in_len = clamp(io->in_len), out_room = clamp(io->out_room);
	int result;

	stream->next_in = io->in;
	stream->avail_in = in_len;
	stream->next_out = io->out;
	stream->avail_out = out_room;
	result = zlib->call.inflate(stream, Z_NO_FLUSH);
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

static uint32_t zlib_crc32(const void *state, uint32_t crc, const uint8_t *data, size_t len)
{
	const struct zlib *zlib = state;

	return (uint32_t)zlib->call.crc32_z(crc, data, len);
}

static void zlib_destroy(void *state)
{
	struct zlib *zlib = state;

	if (zlib)
		zlib->call.inflateEnd(&zlib->stream);
	free(zlib);
}

const struct inflate_engine inflate_zlib = {
	.name = "zlib",
	.create = zlib_create,
	.reset = zlib_reset,
	.run = zlib_run,
	.crc32 = zlib_crc32,
	.destroy = zlib_destroy,
};
