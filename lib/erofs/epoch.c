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

bool erofs_fits_compact(const struct tree_inode *inode)
{
	return inode->uid <= UINT16_MAX && inode->gid <= UINT16_MAX && inode->nlink <= UINT16_MAX &&
	       inode->size <= UINT32_MAX;
}

/* The slot of a time, or a free one. */
static struct slot *find(struct slot *slots, const struct tree_inode *inode)
{
	uint64_t hash = hash_mix(hash_mix(0, (uint64_t)inode->mtime), inode->mtime_nsec) >> 32;

	for (;; hash++) {
		struct slot *slot = &slots[hash % SLOTS];

		if (slot->count == 0 ||
		    (slot->seconds == inode->mtime && slot->nanoseconds == inode->mtime_nsec))
			return slot;
	}
}

static void count(struct slot *slots, uint32_t *times, const struct slot **best,
		  const struct tree_inode *inode)
{
	struct slot *slot = find(slots, inode);

	if (slot->count == 0) {
		if (*times == MAX_TIMES)
			return;
		(*times)++;
		slot->seconds = inode->mtime;
		slot->nanoseconds = inode->mtime_nsec;
	}
	slot->count++;
	if (!*best || slot->count > (*best)->count)
		*best = slot;
}

int erofs_choose_epoch(int64_t *seconds, uint32_t *nanoseconds, const struct tree *tree,
		       struct mkrootfs_error *error)
{
	struct slot *slots = calloc(SLOTS, sizeof(*slots));
	const struct slot *best = NULL;
	uint32_t times = 0;

	*seconds = 0;
	*nanoseconds = 0;
	if (!slots)
		return error_no_memory(error);
	for (uint32_t node = TREE_ROOT; node; node = tree_walk(tree, node)) {
		const struct tree_inode *inode = tree_inode_of(tree, node);

		/* build_time is unsigned. */
		if (erofs_fits_compact(inode) && inode->mtime >= 0)
			count(slots, &times, &best, inode);
	}
	if (best) {
		*seconds = best->seconds;
		*nanoseconds = best->nanoseconds;
	}
	free(slots);
	return 0;
}
