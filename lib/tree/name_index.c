/* SPDX-License-Identifier: Apache-2.0 */
#include "name_index.h"

#include "../base/hash.h"

#include <stdlib.h>

uint32_t name_index_hash(const struct name_index *index, uint32_t parent, const char *name,
			 size_t len)
{
	return (uint32_t)(hash_bytes(hash_mix(hash_seed(index), parent), name, len) >> 32);
}

uint32_t name_index_probe(const struct name_index *index, uint32_t hash, uint32_t *cursor)
{
	if (!index->slots)
		return 0;
	for (;;) {
		const struct name_slot *slot = &index->slots[(*cursor)++ & index->mask];

		if (slot->node == 0 || slot->hash == hash)
			return slot->node;
	}
}

static void place(struct name_index *index, struct name_slot slot)
{
	uint32_t at = slot.hash;

	while (index->slots[at & index->mask].node != 0)
		at++;
	index->slots[at & index->mask] = slot;
}

static int grow(struct name_index *index, struct mkrootfs_error *error)
{
	struct name_index bigger = *index;
	uint32_t old_count = index->slots ? index->mask + 1 : 0;

	if (old_count >= 1u << 31)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "too many names");
	bigger.mask = old_count ? 2 * old_count - 1 : 1023;
	bigger.slots = calloc((size_t)bigger.mask + 1, sizeof(*bigger.slots));
	if (!bigger.slots)
		return error_no_memory(error);
	for (uint32_t i = 0; i < old_count; i++)
		if (index->slots[i].node != 0)
			place(&bigger, index->slots[i]);
	free(index->slots);
	*index = bigger;
	return 0;
}

int name_index_add(struct name_index *index, uint32_t hash, uint32_t node,
		   struct mkrootfs_error *error)
{
	/* At most three quarters full. */
	if (!index->slots || index->used >= index->mask - index->mask / 4) {
		int status = grow(index, error);

		if (status < 0)
			return status;
	}
	place(index, (struct name_slot){ hash, node });
	index->used++;
	return 0;
}

void name_index_free(struct name_index *index)
{
	free(index->slots);
	index->slots = NULL;
	index->used = 0;
}
