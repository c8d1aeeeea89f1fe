/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A source for tests that lends bytes in memory in chunks of a given size. Each chunk is an
 * allocation of its own that is gone at the next call, so that AddressSanitizer sees who reads
 * past its end or too late.
 *
 *	s = chunk_source(data, len, 1);		data is borrowed; chunk 0: all at once
 *
 * chunk_source_failing fails with an I/O error in the place of the end.
 */
#ifndef TESTS_SUPPORT_CHUNK_SOURCE_H
#define TESTS_SUPPORT_CHUNK_SOURCE_H

#include "io/source.h"

#include <stdlib.h>
#include <string.h>

struct chunk_source {
	struct source source;
	const uint8_t *data;
	size_t len;
	size_t chunk;
	uint8_t *lent;
	bool fails;
	bool over;   /* the end or the error was given: source_next must not ask again */
	int *closed; /* counts closes, when not NULL */
};

static inline int chunk_source_next(struct source *source, const uint8_t **data, size_t *len,
				    struct mkrootfs_error *error)
{
	struct chunk_source *chunks = (struct chunk_source *)source;
	size_t count = chunks->len;

	if (chunks->over)
		abort();
	free(chunks->lent);
	chunks->lent = NULL;
	chunks->over = count == 0;
	if (count == 0 && chunks->fails)
		return error_set(error, MKROOTFS_ERROR_IO, "the chunk source fails");
	if (count == 0)
		return 0;
	if (chunks->chunk > 0 && count > chunks->chunk)
		count = chunks->chunk;
	chunks->lent = malloc(count);
	if (!chunks->lent)
		return error_no_memory(error);
	memcpy(chunks->lent, chunks->data, count);
	chunks->data += count;
	chunks->len -= count;
	*data = chunks->lent;
	*len = count;
	return 0;
}

static inline void chunk_source_close(struct source *source)
{
	struct chunk_source *chunks = (struct chunk_source *)source;

	if (chunks->closed)
		++*chunks->closed;
	free(chunks->lent);
	free(chunks);
}

static inline struct chunk_source *chunk_source_new(const void *data, size_t len, size_t chunk)
{
	static const struct source_ops ops = { .next = chunk_source_next,
					       .close = chunk_source_close };
	struct chunk_source *chunks = calloc(1, sizeof(*chunks));

	if (!chunks)
		abort();
	source_init(&chunks->source, &ops);
	chunks->data = data;
	chunks->len = len;
	chunks->chunk = chunk;
	return chunks;
}

static inline struct source *chunk_source(const void *data, size_t len, size_t chunk)
{
	return &chunk_source_new(data, len, chunk)->source;
}

static inline struct source *chunk_source_failing(const void *data, size_t len, size_t chunk)
{
	struct chunk_source *chunks = chunk_source_new(data, len, chunk);

	chunks->fails = true;
	return &chunks->source;
}

/* *closed, the caller's, counts how often the source was closed. */
static inline struct source *chunk_source_counted(const void *data, size_t len, size_t chunk,
						  int *closed)
{
	struct chunk_source *chunks = chunk_source_new(data, len, chunk);

	chunks->closed = closed;
	return &chunks->source;
}

#endif
