/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "file_range.h"
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEPT_CHUNK (256u << 10) /* bytes of one read or write */
#define TRIAL (8u << 20)	/* bytes that tell how fast the rest comes */
#define WORTH_NSEC 2000000000.0 /* what takes less to be had again is not worth being kept */

struct kept_source {
	struct source source;
	struct source *rest;
	int fd;		  /* -1: the rest is not kept any more */
	uint64_t kept;	  /* bytes of the file that the stream begins with */
	uint64_t read;	  /* of these, how many were lent */
	uint64_t written; /* bytes of the file */
	uint64_t size;	  /* of the whole stream, 0: unknown */
	uint64_t tried;	  /* bytes of the rest that came, up to TRIAL */
	uint64_t spent;	  /* nanoseconds that it took */
	size_t waiting;	  /* bytes of the chunk that are to be written */
	uint8_t chunk[KEPT_CHUNK];
};

static int read_kept(struct kept_source *source, const uint8_t **data, size_t *len,
		     struct mkrootfs_error *error)
{
	uint64_t left = source->kept - source->read;
	size_t want = left < KEPT_CHUNK ? (size_t)left : KEPT_CHUNK, got;

	if (file_range_read(source->fd, source->read, source->chunk, want, &got) < 0)
		return error_set_errno(error, errno, "read what was kept of a blob");
	source->read += want;
	*data = source->chunk;
	*len = want;
	return 0;
}

/* What cannot be kept is only lost to a later run; a full disk gets its room back. */
static void give_up(struct kept_source *source)
{
	int ignored = ftruncate(source->fd, 0);

	(void)ignored;
	source->fd = -1;
}

static void write_chunk(struct kept_source *source, const void *data, size_t len)
{
	if (source->fd < 0 || len == 0)
		return;
	if (file_range_write(source->fd, source->written, data, len) < 0)
		give_up(source);
	source->written += len;
}

/* Small pieces are collected: a write for each would cost more than the bytes. */
static void keep(struct kept_source *source, const uint8_t *data, size_t len)
{
	bool large = len >= KEPT_CHUNK / 4;

	if (large || len > KEPT_CHUNK - source->waiting) {
		write_chunk(source, source->chunk, source->waiting);
		source->waiting = 0;
	}
	if (large) {
		write_chunk(source, data, len);
		return;
	}
	memcpy(source->chunk + source->waiting, data, len);
	source->waiting += len;
}

/* A stream of which nothing was there is judged once, by its first bytes. */
static void judge(struct kept_source *source, size_t len)
{
	source->tried += len;
	if (source->tried >= TRIAL && source->kept == 0 && source->fd >= 0 && source->size > 0 &&
	    (double)source->spent * (double)source->size / (double)source->tried < WORTH_NSEC)
		give_up(source);
}

static int next_of_rest(struct kept_source *source, const uint8_t **data, size_t *len,
			struct mkrootfs_error *error)
{
	uint64_t start;
	int status;

	if (source->tried >= TRIAL)
		return source_next(source->rest, data, len, error);
	start = clock_nanoseconds();
	status = source_next(source->rest, data, len, error);
	source->spent += clock_nanoseconds() - start;
	judge(source, *len);
	return status;
}

static int kept_next(struct source *base, const uint8_t **data, size_t *len,
		     struct mkrootfs_error *error)
{
	struct kept_source *source = (struct kept_source *)base;
	int status;

	if (source->read < source->kept)
		return read_kept(source, data, len, error);
	status = next_of_rest(source, data, len, error);
	if (status == 0 && *len > 0 && source->fd >= 0)
		keep(source, *data, *len);
	return status;
}

/* Also behind a failure: what came until then is what a later run goes on from. */
static void kept_close(struct source *base)
{
	struct kept_source *source = (struct kept_source *)base;

	if (source->read >= source->kept)
		write_chunk(source, source->chunk, source->waiting);
	source_close(source->rest);
	free(source);
}

static const struct source_ops kept_ops = { .next = kept_next, .close = kept_close };

int source_kept(struct source **out, int fd, uint64_t kept, struct source *rest, uint64_t size,
		struct mkrootfs_error *error)
{
	struct kept_source *source = malloc(sizeof(*source));

	*out = NULL;
	if (!source)
		return error_no_memory(error);
	source_init(&source->source, &kept_ops);
	source->rest = rest;
	source->fd = fd;
	source->kept = source->written = kept;
	source->size = size;
	source->read = source->tried = source->spent = 0;
	source->waiting = 0;
	*out = &source->source;
	return 0;
}
