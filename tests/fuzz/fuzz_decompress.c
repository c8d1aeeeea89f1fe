/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever comes in: no crash, no hang, and no difference between chunk sizes or between the
 * engines that inflate.
 *
 * The first byte of the input chooses the chunk size by its low bits. Its high bit takes the rest
 * as raw deflate data, which has no checksum that stops the fuzzer; else it is a stream for
 * source_decompress.
 */
#include <inttypes.h>
#include <stdio.h>

#include "../support/chunk_source.h"
#include "io/inflate.h"

#define OUTPUT_MAX (1u << 20) /* bytes; a bomb is not what is looked for */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
	int status;
	uint64_t dropped;
	struct buf content;
};

static struct outcome run(struct source *source)
{
	struct outcome outcome = { .content = BUF_INIT(OUTPUT_MAX) };
	struct mkrootfs_error error;

	outcome.status = source_read_all(&outcome.content, source, &error);
	outcome.dropped = source_dropped(source);
	source_close(source);
	return outcome;
}

static struct outcome decompress(const uint8_t *data, size_t size, size_t chunk)
{
	struct outcome refused = { .content = BUF_INIT(OUTPUT_MAX) };
	struct source *source, *inner = chunk_source(data, size, chunk);
	struct mkrootfs_error error;

	refused.status = source_decompress(&source, NULL, inner, &error);
	if (refused.status == 0)
		return run(source);
	source_close(inner);
	return refused;
}

static struct outcome gunzip(const uint8_t *data, size_t size, size_t chunk,
			     const struct inflate_engine *engine)
{
	struct mkrootfs_error error;
	struct source *source;

	if (source_gunzip_by(&source, chunk_source(data, size, chunk), engine, &error) < 0)
		abort();
	return run(source);
}

/* How much comes out before an error depends on the chunks: no comparison past the cap. */
static bool same(const struct outcome *a, const struct outcome *b)
{
	if (a->status == MKROOTFS_ERROR_LIMIT || b->status == MKROOTFS_ERROR_LIMIT)
		return true;
	if (a->status != b->status || a->dropped != b->dropped)
		return false;
	if (a->status < 0 || (a->content.len == 0 && b->content.len == 0))
		return true;
	return a->content.len == b->content.len &&
	       !memcmp(a->content.data, b->content.data, a->content.len);
}

static void print_difference(const struct outcome *a, const struct outcome *b)
{
	fprintf(stderr, "status %d or %d, %zu or %zu bytes, dropped %" PRIu64 " or %" PRIu64 "\n",
		a->status, b->status, a->content.len, b->content.len, a->dropped, b->dropped);
}

/* Frees both. */
static void compare(struct outcome a, struct outcome b)
{
	if (!same(&a, &b)) {
		print_difference(&a, &b);
		abort();
	}
	buf_free(&a.content);
	buf_free(&b.content);
}

/* One run into a buffer of its own, so that AddressSanitizer sees its end. */
static int inflate_piece(struct buf *out, const struct inflate_engine *engine, void *state,
			 struct inflate_io *io)
{
	const size_t room = 4096;
	struct mkrootfs_error error;
	uint8_t *piece = malloc(room);
	int status;

	if (!piece)
		abort();
	io->out = piece;
	io->out_room = room;
	status = engine->run(state, io, &error);
	if (status == 0)
		status = buf_append(out, piece, room - io->out_room, &error);
	free(piece);
	return status;
}

/* All of data in pieces of chunk bytes; as gunzip_source does, but without a wrapping. */
static struct outcome inflate(const uint8_t *data, size_t size, size_t chunk,
			      const struct inflate_engine *engine)
{
	struct outcome outcome = { .content = BUF_INIT(OUTPUT_MAX) };
	struct inflate_io io = { .in = data };
	struct mkrootfs_error error;
	void *state;

	if (engine->create(&state, &error) < 0)
		abort();
	while (outcome.status == 0 && !io.ended) {
		size_t before = outcome.content.len;

		io.in_len = (size_t)(data + size - io.in);
		if (chunk > 0 && io.in_len > chunk)
			io.in_len = chunk;
		outcome.status = inflate_piece(&outcome.content, engine, state, &io);
		if (!io.ended && outcome.content.len == before && io.in == data + size)
			outcome.status = MKROOTFS_ERROR_MALFORMED; /* truncated */
	}
	/* What is left, in whatever hands it is. */
	outcome.dropped = (size_t)(data + size - io.in) + io.tail_len;
	if (outcome.status == 0 && io.tail_len > 0 &&
	    memcmp(io.tail, data + size - outcome.dropped, io.tail_len) != 0)
		abort();
	if (outcome.status < 0)
		outcome.dropped = 0;
	engine->destroy(state);
	return outcome;
}

/*
 * zlib refuses a Huffman code that is incomplete, others only a symbol that it lacks. So they may
 * accept more; but what zlib accepts must give the same bytes.
 */
static void compare_to_zlib(const struct outcome *zlib, const struct outcome *other)
{
	if (zlib->status == 0 && !same(zlib, other)) {
		print_difference(zlib, other);
		abort();
	}
}

static void inflate_all(const uint8_t *data, size_t size, size_t chunk)
{
	struct outcome zlib = inflate(data, size, 0, &inflate_zlib);

	for (const struct inflate_engine *const *engine = inflate_engines(); *engine; engine++) {
		struct outcome whole = inflate(data, size, 0, *engine);

		compare_to_zlib(&zlib, &whole);
		compare(whole, inflate(data, size, chunk, *engine));
	}
	buf_free(&zlib.content);
}

static void decompress_all(const uint8_t *data, size_t size, size_t chunk)
{
	struct outcome zlib = gunzip(data, size, 0, &inflate_zlib);

	compare(decompress(data, size, 0), decompress(data, size, chunk));
	for (const struct inflate_engine *const *engine = inflate_engines(); *engine; engine++) {
		struct outcome whole = gunzip(data, size, 0, *engine);

		compare_to_zlib(&zlib, &whole);
		compare(whole, gunzip(data, size, chunk, *engine));
	}
	buf_free(&zlib.content);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] & 0x80)
		inflate_all(data + 1, size - 1, data[0] & 0x7f);
	else
		decompress_all(data + 1, size - 1, data[0]);
	return 0;
}
