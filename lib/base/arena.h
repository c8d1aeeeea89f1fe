/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An append-only store of bytes addressed by 32-bit offsets in units of 4 bytes: up to 16 GiB of
 * names and values without a pointer each. Offset 0 is never handed out. Memory is taken in large
 * chunks that never move, so what was lent stays valid.
 */
#ifndef MKROOTFS_BASE_ARENA_H
#define MKROOTFS_BASE_ARENA_H

#include "error.h"

struct arena {
	uint8_t **chunks;
	size_t chunk_count;
	size_t chunk_room; /* entries allocated in chunks */
	size_t size;	   /* bytes of the last chunk */
	size_t used;	   /* of them */
};

#define ARENA_CHUNK_SIZE (1u << 20) /* bytes; the longest single allocation */
#define ARENA_UNIT 4u
#define ARENA_UNITS_PER_CHUNK (ARENA_CHUNK_SIZE / ARENA_UNIT)

/* arena_alloc where the last chunk is full. */
int arena_alloc_chunk(struct arena *arena, uint32_t *ref, uint8_t **out, size_t len,
		      struct mkrootfs_error *error);

/*
 * Reserves len bytes at *ref; *out lends them. They are the caller's to set: a chunk that is not
 * used to its end costs no more memory than what is used of it.
 */
static inline int arena_alloc(struct arena *arena, uint32_t *ref, uint8_t **out, size_t len,
			      struct mkrootfs_error *error)
{
	if (arena->chunk_count == 0 || len > arena->size - arena->used)
		return arena_alloc_chunk(arena, ref, out, len, error);
	*out = arena->chunks[arena->chunk_count - 1] + arena->used;
	*ref = (uint32_t)((arena->chunk_count - 1) * ARENA_UNITS_PER_CHUNK +
			  arena->used / ARENA_UNIT);
	arena->used += (len + ARENA_UNIT - 1) / ARENA_UNIT * ARENA_UNIT;
	return 0;
}

static inline uint8_t *arena_at(const struct arena *arena, uint32_t ref)
{
	return arena->chunks[ref / ARENA_UNITS_PER_CHUNK] +
	       (size_t)(ref % ARENA_UNITS_PER_CHUNK) * ARENA_UNIT;
}

/* Bytes handed out, with what stays unused at the ends of chunks. */
static inline uint64_t arena_in_use(const struct arena *arena)
{
	return arena->chunk_count ? (arena->chunk_count - 1ull) * ARENA_CHUNK_SIZE + arena->used
				  : 0;
}

void arena_free(struct arena *arena);

#endif
