/* SPDX-License-Identifier: Apache-2.0 */
#include "../base/bytes.h"
#include "gzip_header.h"
#include "inflate.h"
#include "leftover.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GUNZIP_CHUNK (256u << 10) /* bytes of output lent at once */
#define TRAILER_SIZE 8		  /* CRC32 ISIZE */

struct gunzip;

/* One step on the way; 0, or a negative status. Each either consumes, produces or moves on. */
typedef int (*gunzip_step)(struct gunzip *gunzip, struct mkrootfs_error *error);

/*
 * The output stands in memory of its own, never in room that a caller offers: inflating goes back
 * over what it wrote, which is slower where another processor has just read. A copy costs less.
 */
struct gunzip {
	struct source source;
	struct source *inner;
	const struct inflate_engine *engine;
	void *state;	  /* of the engine */
	gunzip_step step; /* NULL: all is read */
	const uint8_t *in;
	size_t in_len;
	uint64_t member; /* number of the current one, from 1 */
	uint32_t crc;	 /* of the member's data so far */
	uint32_t size;	 /* bytes of the member's data so far, modulo 2^32 as ISIZE is */
	bool magic_seen; /* the first byte of a magic was read */
	struct gzip_header header;
	uint8_t trailer[TRAILER_SIZE];
	size_t trailer_len;
	struct leftover leftover;
	size_t out_len;
	uint8_t out[GUNZIP_CHUNK];
};

static int step_magic(struct gunzip *gunzip, struct mkrootfs_error *error);

/* 1 when there is input, 0 at its end, or a status. */
static int fill(struct gunzip *gunzip, struct mkrootfs_error *error)
{
	int status;

	if (gunzip->in_len > 0)
		return 1;
	status = source_next(gunzip->inner, &gunzip->in, &gunzip->in_len, error);
	return status < 0 ? status : gunzip->in_len > 0;
}

/* For what must not end where it is: as fill, but the end of the input is an error. */
static int fill_for(struct gunzip *gunzip, const char *part, struct mkrootfs_error *error)
{
	int status = fill(gunzip, error);

	if (status != 0)
		return status;
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "gzip data is truncated in the %s of member %" PRIu64, part,
			 gunzip->member);
}

static int in_member(struct gunzip *gunzip, const char *part, struct mkrootfs_error *error)
{
	return error_prefix(error, "gzip %s of member %" PRIu64 ": ", part, gunzip->member);
}

static int step_leftover(struct gunzip *gunzip, struct mkrootfs_error *error)
{
	int status = fill(gunzip, error);

	if (status == 0)
		gunzip->step = NULL;
	if (status <= 0)
		return status;
	leftover_add(&gunzip->leftover, gunzip->in, gunzip->in_len);
	gunzip->in_len = 0;
	return 0;
}

static int check_trailer(const struct gunzip *gunzip, struct mkrootfs_error *error)
{
	uint32_t crc = get_le32(gunzip->trailer), size = get_le32(gunzip->trailer + 4);

	if (crc != gunzip->crc)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "gzip data of member %" PRIu64
				 " has CRC-32 %08x, its trailer says %08x",
				 gunzip->member, gunzip->crc, crc);
	if (size != gunzip->size)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "gzip data of member %" PRIu64 " has %" PRIu32
				 " bytes (modulo 2^32), its trailer says %" PRIu32,
				 gunzip->member, gunzip->size, size);
	return 0;
}

static int step_trailer(struct gunzip *gunzip, struct mkrootfs_error *error)
{
	size_t count = TRAILER_SIZE - gunzip->trailer_len;
	int status = count ? fill_for(gunzip, "trailer", error) : 1;

	if (status < 0)
		return status;
	if (count > gunzip->in_len)
		count = gunzip->in_len;
	if (count)
		memcpy(gunzip->trailer + gunzip->trailer_len, gunzip->in, count);
	gunzip->trailer_len += count;
	gunzip->in += count;
	gunzip->in_len -= count;
	if (gunzip->trailer_len < TRAILER_SIZE)
		return 0;
	gunzip->step = step_magic;
	return check_trailer(gunzip, error);
}

static void begin_trailer(struct gunzip *gunzip, const struct inflate_io *io)
{
	memcpy(gunzip->trailer, io->tail, io->tail_len);
	gunzip->trailer_len = io->tail_len;
	gunzip->step = step_trailer;
}

/* Takes over what a run has done; true when it has done anything. */
static bool account(struct gunzip *gunzip, const struct inflate_io *io)
{
	uint8_t *out = gunzip->out + gunzip->out_len;
	size_t count = (size_t)(io->out - out);
	bool moved = count > 0 || io->in_len < gunzip->in_len || io->ended;

	gunzip->crc = gunzip->engine->crc32(gunzip->state, gunzip->crc, out, count);
	gunzip->size += (uint32_t)count;
	gunzip->out_len += count;
	gunzip->in = io->in;
	gunzip->in_len = io->in_len;
	return moved;
}

static int step_data(struct gunzip *gunzip, struct mkrootfs_error *error)
{
	struct inflate_io io = { .in = gunzip->in,
				 .in_len = gunzip->in_len,
				 .out = gunzip->out + gunzip->out_len,
				 .out_room = GUNZIP_CHUNK - gunzip->out_len };
	int status = gunzip->engine->run(gunzip->state, &io, error);

	if (status < 0)
		return in_member(gunzip, "data", error);
	if (account(gunzip, &io)) {
		if (io.ended)
			begin_trailer(gunzip, &io);
		return 0;
	}
	if (gunzip->in_len > 0)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "gzip data of member %" PRIu64 " makes the decoder stand still",
				 gunzip->member);
	status = fill_for(gunzip, "data", error);
	return status < 0 ? status : 0;
}

static int step_header(struct gunzip *gunzip, struct mkrootfs_error *error)
{
	int status = fill_for(gunzip, "header", error);

	if (status < 0)
		return status;
	status = gzip_header_feed(&gunzip->header, &gunzip->in, &gunzip->in_len, error);
	if (status < 0)
		return in_member(gunzip, "header", error);
	if (status == 0)
		return 0;
	gunzip->engine->reset(gunzip->state);
	gunzip->crc = 0;
	gunzip->size = 0;
	gunzip->step = step_data;
	return 0;
}

/* No magic where one may be: junk, unless nothing came before. */
static int no_magic(struct gunzip *gunzip, struct mkrootfs_error *error)
{
	static const uint8_t first = GZIP_MAGIC_1;

	if (gunzip->member == 0)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 gunzip->in_len ? "no gzip data: the magic is missing"
						: "gzip data is truncated in its magic");
	if (gunzip->magic_seen)
		leftover_add(&gunzip->leftover, &first, 1);
	gunzip->step = step_leftover;
	return 0;
}

static int step_magic(struct gunzip *gunzip, struct mkrootfs_error *error)
{
	int status = fill(gunzip, error);

	if (status < 0)
		return status;
	if (status == 0 || *gunzip->in != (gunzip->magic_seen ? GZIP_MAGIC_2 : GZIP_MAGIC_1))
		return no_magic(gunzip, error);
	gunzip->in++;
	gunzip->in_len--;
	gunzip->magic_seen = !gunzip->magic_seen;
	if (gunzip->magic_seen)
		return 0;
	gunzip->member++;
	gzip_header_begin(&gunzip->header, gunzip->engine, gunzip->state);
	gunzip->step = step_header;
	return 0;
}

static int gunzip_next(struct source *source, const uint8_t **data, size_t *len,
		       struct mkrootfs_error *error)
{
	struct gunzip *gunzip = (struct gunzip *)source;
	int status = 0;

	gunzip->out_len = 0;
	while (status == 0 && gunzip->step && gunzip->out_len < GUNZIP_CHUNK)
		status = gunzip->step(gunzip, error);
	*data = gunzip->out;
	*len = gunzip->out_len;
	return status;
}

static void gunzip_close(struct source *source)
{
	struct gunzip *gunzip = (struct gunzip *)source;

	source_close(gunzip->inner);
	gunzip->engine->destroy(gunzip->state);
	free(gunzip);
}

static uint64_t gunzip_dropped(const struct source *source)
{
	return leftover_dropped(&((const struct gunzip *)source)->leftover);
}

static const struct source_ops gunzip_ops = { .next = gunzip_next,
					      .close = gunzip_close,
					      .dropped = gunzip_dropped };

int source_gunzip_by(struct source **out, struct source *inner, const struct inflate_engine *engine,
		     struct mkrootfs_error *error)
{
	struct gunzip *gunzip = malloc(sizeof(*gunzip));
	int status;

	*out = NULL;
	if (!gunzip)
		return error_no_memory(error);
	memset(gunzip, 0, offsetof(struct gunzip, out)); /* the output's pages stay untouched */
	status = engine->create(&gunzip->state, error);
	if (status < 0) {
		free(gunzip);
		return status;
	}
	source_init(&gunzip->source, &gunzip_ops);
	gunzip->inner = inner;
	gunzip->engine = engine;
	gunzip->step = step_magic;
	*out = &gunzip->source;
	return 0;
}

int source_gunzip(struct source **out, struct source *inner, struct mkrootfs_error *error)
{
	const struct inflate_engine *const *engine = inflate_engines();
	int status;

	do
		status = source_gunzip_by(out, inner, *engine++, error);
	while (status == MKROOTFS_ERROR_UNSUPPORTED && *engine);
	return status;
}
