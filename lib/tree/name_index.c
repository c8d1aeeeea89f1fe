/* SPDX-License-Identifier: Apache-2.0 */
#include "name_index.h"

#include "../base/hash.h"
#include "../base/pages.h"

#include <stdlib.h>

#define FEWEST_SLOTS 1024u

uint32_t name_index_hash(const struct name_index *index, uint32_t parent, const char *name,
			 size_t len)
{
	return (uint32_t)(hash_bytes(hash_mix(hash_seed(index), parent), name, len) >> 32);
}

uint32_t name_index_probe(const struct name_index *index, uint32_t hash, uint32_t *cursor)
{
	for (;;) {
		const struct name_slot *slot = &index->slots[(*cursor)++ & index->mask];

		if (slot->node == 0 || slot->hash == hash)
			return slot->node;
	}
}

void name_index_add(struct name_index *index, uint32_t hash, uint32_t node)
{
	uint32_t at = hash;

	while (index->slots[at & index->mask].node != 0)
		at++;
	index->slots[at & index->mask] = (struct name_slot){ hash, node };
}

void name_index_replace(struct name_index *index, uint32_t cursor, uint32_t node)
{
	index->slots[(cursor - 1) & index->mask].node = node;
}

static int move_to(struct name_index *index, uint32_t slot_count, struct mkrootfs_error *error)
{
	struct name_index bigger = { .mask = slot_count - 1, .nodes = index->nodes };
	uint32_t old_count = index->slots ? index->mask + 1 : 0;

	bigger.slots = pages_zeroed(slot_count, sizeof(*bigger.slots));
	if (!bigger.slots)
		return error_no_memory(error);
	for (uint32_t i = 0; i < old_count; i++)
		if (index->slots[i].node != 0)
			name_index_add(&bigger, index->slots[i].hash, index->slots[i].node);
	free(index->slots);
	*index = bigger;
	return 0;
}

/* At most three quarters full. */
int name_index_reserve(struct name_index *index, uint32_t count, struct mkrootfs_error *error)
{
	uint32_t slots = index->slots ? index->mask + 1 : FEWEST_SLOTS;

	while (count > slots - slots / 4 && slots < 1u << 31)
		slots *= 2;
	if (count > slots - slots / 4)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "too many names");
	if (index->slots && slots == index->mask + 1)
		return 0;
	return move_to(index, slots, error);
}

void name_index_free(struct name_index *index)
{
	free(index->slots);
	*index = (struct name_index){ 0 };
}
