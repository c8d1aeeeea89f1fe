/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <stdlib.h>

/* Bytes of the first chunk: most arenas need no more, and what is small the allocator uses again.
 */
#define FIRST_SIZE (1u << 15)

static int add_chunk(struct arena *arena, size_t len, struct mkrootfs_error *error)
{
	size_t size = arena->chunk_count == 0 && len <= FIRST_SIZE - ARENA_UNIT ? FIRST_SIZE
										: ARENA_CHUNK_SIZE;

	if (arena->chunk_count == UINT32_MAX / ARENA_UNITS_PER_CHUNK)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "names and values exceed 16 GiB");
	if (arena->chunk_count == arena->chunk_room) {
		size_t room = arena->chunk_room ? 2 * arena->chunk_room : 16;
		uint8_t **chunks = realloc(arena->chunks, room * sizeof(*chunks));

		if (!chunks)
			return error_no_memory(error);
		arena->chunks = chunks;
		arena->chunk_room = room;
	}
	arena->chunks[arena->chunk_count] = malloc(size);
	if (!arena->chunks[arena->chunk_count])
		return error_no_memory(error);
	/* The first unit of the first chunk stays unused: offset 0 means none. */
	arena->used = arena->chunk_count ? 0 : ARENA_UNIT;
	arena->size = size;
	arena->chunk_count++;
	return 0;
}

int arena_alloc_chunk(struct arena *arena, uint32_t *ref, uint8_t **out, size_t len,
		      struct mkrootfs_error *error)
{
	int status;

	*ref = 0;
	*out = NULL;
	if (len > ARENA_CHUNK_SIZE - ARENA_UNIT)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "a value of %zu bytes is too long",
				 len);
	status = add_chunk(arena, len, error);
	return status < 0 ? status : arena_alloc(arena, ref, out, len, error);
}

void arena_free(struct arena *arena)
{
	for (size_t i = 0; i < arena->chunk_count; i++)
		free(arena->chunks[i]);
	free(arena->chunks);
	*arena = (struct arena){ 0 };
}
