/* SPDX-License-Identifier: Apache-2.0 */
#include "inode_set.h"

#include <stdlib.h>

/* Where the number is, or the free slot for it. room is a power of two. */
static uint64_t *slot_of(uint64_t *slots, size_t room, uint64_t number)
{
	size_t at = (size_t)(number * 0x9e3779b97f4a7c15u >> 20);

	while (slots[at & (room - 1)] && slots[at & (room - 1)] != number + 1)
		at++;
	return &slots[at & (room - 1)];
}

static int grow(struct inode_set *set)
{
	size_t room = set->room ? 2 * set->room : 256;
	uint64_t *slots = calloc(room, sizeof(*slots));

	if (!slots)
		return -1;
	for (size_t i = 0; i < set->room; i++)
		if (set->slots[i])
			*slot_of(slots, room, set->slots[i] - 1) = set->slots[i];
	free(set->slots);
	set->slots = slots;
	set->room = room;
	return 0;
}

int inode_set_add(struct inode_set *set, uint64_t number)
{
	uint64_t *slot;

	if (2 * set->count >= set->room && grow(set) < 0)
		return -1;
	slot = slot_of(set->slots, set->room, number);
	if (*slot)
		return 0;
	*slot = number + 1;
	set->count++;
	return 1;
}

void inode_set_free(struct inode_set *set)
{
	free(set->slots);
	*set = (struct inode_set){ 0 };
}
