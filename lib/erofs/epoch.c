/* SPDX-License-Identifier: Apache-2.0 */
#include "epoch.h"

#include "../base/hash.h"

#include <stdlib.h>

#define SLOTS 8192u
#define MAX_TIMES (SLOTS / 2)

struct slot {
	int64_t seconds;
	uint32_t nanoseconds;
	uint32_t count; /* 0: free */
};

static bool has_time(const struct slot *slot, const struct tree_attributes *time)
{
	return slot->seconds == time->mtime && slot->nanoseconds == time->mtime_nsec;
}

/* The slot of a time, or a free one. */
static struct slot *find(struct slot *slots, const struct tree_attributes *time)
{
	uint64_t hash = hash_mix(hash_seed(slots), (uint64_t)time->mtime);

	hash = hash_mix(hash, time->mtime_nsec) >> 32;
	for (;; hash++) {
		struct slot *slot = &slots[hash % SLOTS];

		if (slot->count == 0 || has_time(slot, time))
			return slot;
	}
}

/* What times there are, and how often. */
struct times {
	struct slot *slots;
	uint32_t used;
	const struct slot *best;
};

/* So many inodes one behind the other have that time: neighbours often have the same. */
static void count(struct times *times, const struct tree_attributes *time, uint32_t more)
{
	struct slot *slot = find(times->slots, time);

	/* build_time is unsigned. */
	if (more == 0 || time->mtime < 0)
		return;
	if (slot->count == 0) {
		if (times->used == MAX_TIMES)
			return;
		times->used++;
		slot->seconds = time->mtime;
		slot->nanoseconds = time->mtime_nsec;
	}
	slot->count += more;
	if (!times->best || slot->count > times->best->count)
		times->best = slot;
}

static void count_all(struct times *times, const struct tree *tree)
{
	const struct tree_attributes *last = tree->attributes.list;
	uint32_t run = 0; /* of inodes that have these */

	for (uint32_t node = TREE_ROOT; node; node = tree_walk(tree, node)) {
		const struct tree_inode *inode = tree_inode_of(tree, node);
		const struct tree_attributes *attributes = tree_attributes_of(tree, inode);

		if (attributes != last) {
			count(times, last, run);
			last = attributes;
			run = 0;
		}
		run += erofs_fits_compact(inode, attributes);
	}
	count(times, last, run);
}

int erofs_choose_epoch(int64_t *seconds, uint32_t *nanoseconds, const struct tree *tree,
		       struct mkrootfs_error *error)
{
	struct times times = { .slots = calloc(SLOTS, sizeof(*times.slots)) };

	*seconds = 0;
	*nanoseconds = 0;
	if (!times.slots)
		return error_no_memory(error);
	count_all(&times, tree);
	if (times.best) {
		*seconds = times.best->seconds;
		*nanoseconds = times.best->nanoseconds;
	}
	free(times.slots);
	return 0;
}
