/* SPDX-License-Identifier: Apache-2.0 */
#include "../base/bytes.h"
#include "../base/library.h"
#include "leftover.h"
#include "source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#define ZSTD_CHUNK (256u << 10) /* bytes of output lent at once */
#define WINDOW_LOG_MAX 27	/* 128 MiB */
#define MAGIC_SIZE 4

LIBRARY_NOTE(MKROOTFS_ZSTD, "zstd", "Layers that are compressed by zstd", "recommended");

#define FUNCTIONS(_)              \
	_(ZSTD_createDCtx)        \
	_(ZSTD_freeDCtx)          \
	_(ZSTD_DCtx_setParameter) \
	_(ZSTD_decompressStream)  \
	_(ZSTD_isError)           \
	_(ZSTD_getErrorCode)      \
	_(ZSTD_getErrorName)

#define POINTER(name) __typeof__(name) *name;
#define NAME(name) #name,

struct zstd {
	FUNCTIONS(POINTER)
};

struct unzstd;

/* One step on the way; 0, or a negative status. Each either consumes, produces or moves on. */
typedef int (*unzstd_step)(struct unzstd *unzstd, struct mkrootfs_error *error);

struct unzstd {
	struct source source;
	struct source *inner;
	struct zstd zstd;
	ZSTD_DCtx *context;
	unzstd_step step; /* NULL: all is read */
	const uint8_t *in;
	size_t in_len;
	uint64_t frame; /* number of the current one, from 1; skippable ones count */
	uint8_t magic[MAGIC_SIZE];
	size_t magic_len;
	struct leftover leftover;
	uint8_t *out; /* the caller's room, or own */
	size_t out_room, out_len;
	uint8_t own[ZSTD_CHUNK];
};

static int step_magic(struct unzstd *unzstd, struct mkrootfs_error *error);

/* 1 when there is input, 0 at its end, or a status. */
static int fill(struct unzstd *unzstd, struct mkrootfs_error *error)
{
	int status;

	if (unzstd->in_len > 0)
		return 1;
	status = source_next(unzstd->inner, &unzstd->in, &unzstd->in_len, error);
	return status < 0 ? status : unzstd->in_len > 0;
}

static int step_leftover(struct unzstd *unzstd, struct mkrootfs_error *error)
{
	int status = fill(unzstd, error);

	if (status == 0)
		unzstd->step = NULL;
	if (status <= 0)
		return status;
	leftover_add(&unzstd->leftover, unzstd->in, unzstd->in_len);
	unzstd->in_len = 0;
	return 0;
}

static int refuse(const struct unzstd *unzstd, size_t result, struct mkrootfs_error *error)
{
	switch (unzstd->zstd.ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation:
		return error_no_memory(error);
	case ZSTD_error_frameParameter_windowTooLarge:
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "zstd frame %" PRIu64 " needs a window of more than 128 MiB",
				 unzstd->frame);
	case ZSTD_error_dictionary_wrong:
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "zstd frame %" PRIu64 " needs a dictionary", unzstd->frame);
	default:
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "zstd frame %" PRIu64 ": %s",
				 unzstd->frame, unzstd->zstd.ZSTD_getErrorName(result));
	}
}

/* Decodes from in, behind what the output holds. *left is 0 once the frame is complete. */
static int decode(struct unzstd *unzstd, size_t *left, ZSTD_inBuffer *in,
		  struct mkrootfs_error *error)
{
	ZSTD_outBuffer out = { unzstd->out, unzstd->out_room, unzstd->out_len };

	*left = unzstd->zstd.ZSTD_decompressStream(unzstd->context, &out, in);
	if (unzstd->zstd.ZSTD_isError(*left))
		return refuse(unzstd, *left, error);
	unzstd->out_len = out.pos;
	return 0;
}

static int step_frame(struct unzstd *unzstd, struct mkrootfs_error *error)
{
	ZSTD_inBuffer in = { unzstd->in, unzstd->in_len, 0 };
	size_t left, before = unzstd->out_len;
	int status = decode(unzstd, &left, &in, error);

	if (status < 0)
		return status;
	unzstd->in += in.pos;
	unzstd->in_len -= in.pos;
	if (left == 0) {
		unzstd->step = step_magic;
		unzstd->magic_len = 0;
		return 0;
	}
	if (in.pos > 0 || unzstd->out_len > before)
		return 0;
	status = fill(unzstd, error);
	if (status != 0)
		return status < 0 ? status : 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "zstd data is truncated in frame %" PRIu64, unzstd->frame);
}

static bool is_magic(uint32_t magic)
{
	return magic == ZSTD_MAGICNUMBER ||
	       (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

/* No magic where one may be: junk, unless nothing came before. */
static int no_magic(struct unzstd *unzstd, struct mkrootfs_error *error)
{
	if (unzstd->frame == 0)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 unzstd->magic_len == MAGIC_SIZE
					 ? "no zstd data: the magic is missing"
					 : "zstd data is truncated in its magic");
	leftover_add(&unzstd->leftover, unzstd->magic, unzstd->magic_len);
	unzstd->step = step_leftover;
	return 0;
}

static int begin_frame(struct unzstd *unzstd, struct mkrootfs_error *error)
{
	ZSTD_inBuffer in = { unzstd->magic, MAGIC_SIZE, 0 };
	size_t left;

	unzstd->frame++;
	unzstd->step = step_frame;
	return decode(unzstd, &left, &in, error);
}

static int step_magic(struct unzstd *unzstd, struct mkrootfs_error *error)
{
	size_t count = MAGIC_SIZE - unzstd->magic_len;
	int status = fill(unzstd, error);

	if (status < 0)
		return status;
	if (status == 0)
		return no_magic(unzstd, error);
	if (count > unzstd->in_len)
		count = unzstd->in_len;
	memcpy(unzstd->magic + unzstd->magic_len, unzstd->in, count);
	unzstd->magic_len += count;
	unzstd->in += count;
	unzstd->in_len -= count;
	if (unzstd->magic_len < MAGIC_SIZE)
		return 0;
	return is_magic(get_le32(unzstd->magic)) ? begin_frame(unzstd, error)
						 : no_magic(unzstd, error);
}

static int unzstd_next(struct source *source, const uint8_t **data, size_t *len,
		       struct mkrootfs_error *error)
{
	struct unzstd *unzstd = (struct unzstd *)source;
	int status = 0;

	unzstd->out = source->room ? source->room : unzstd->own;
	unzstd->out_room = source->room ? source->room_size : ZSTD_CHUNK;
	unzstd->out_len = 0;
	while (status == 0 && unzstd->step && unzstd->out_len < unzstd->out_room)
		status = unzstd->step(unzstd, error);
	*data = unzstd->out;
	*len = unzstd->out_len;
	return status;
}

static void unzstd_close(struct source *source)
{
	struct unzstd *unzstd = (struct unzstd *)source;

	source_close(unzstd->inner);
	unzstd->zstd.ZSTD_freeDCtx(unzstd->context);
	free(unzstd);
}

static uint64_t unzstd_dropped(const struct source *source)
{
	return leftover_dropped(&((const struct unzstd *)source)->leftover);
}

static const struct source_ops unzstd_ops = { .next = unzstd_next,
					      .close = unzstd_close,
					      .dropped = unzstd_dropped };

static int create_context(struct unzstd *unzstd, struct mkrootfs_error *error)
{
	static const char *const names[] = { FUNCTIONS(NAME) NULL };
	static const struct library libzstd = {
		MKROOTFS_ZSTD,
		names,
		"install the package that holds " MKROOTFS_ZSTD
		" (libzstd1 in Debian, libzstd in Fedora)",
	};

	if (library_load(&unzstd->zstd, &libzstd, error) < 0)
		return error->status;
	unzstd->context = unzstd->zstd.ZSTD_createDCtx();
	if (!unzstd->context)
		return error_no_memory(error);
	unzstd->zstd.ZSTD_DCtx_setParameter(unzstd->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	return 0;
}

int source_zstd(struct source **out, struct source *inner, struct mkrootfs_error *error)
{
	struct unzstd *unzstd = malloc(sizeof(*unzstd));
	int status;

	*out = NULL;
	if (!unzstd)
		return error_no_memory(error);
	memset(unzstd, 0, offsetof(struct unzstd, own)); /* the output's pages stay untouched */
	status = create_context(unzstd, error);
	if (status < 0) {
		free(unzstd);
		return status;
	}
	source_init(&unzstd->source, &unzstd_ops);
	unzstd->inner = inner;
	unzstd->step = step_magic;
	*out = &unzstd->source;
	return 0;
}
