/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a filesystem becomes when it grows. Private to ext4_grow.
 *
 *	ext4_grow_plan(&plan, &old, size, error);	plan.now has the descriptors of all groups
 *	ext4_grow_super(super, &plan, &old);
 *	ext4_existing_close(&plan.now);
 */
#ifndef MKROOTFS_EXT4_GROW_PLAN_H
#define MKROOTFS_EXT4_GROW_PLAN_H

#include "existing.h"

struct ext4_grow_plan {
	/* Sizes and descriptors as they will be; of the last old group only when it is extended. */
	struct ext4_existing now;
	uint32_t old_groups;
	uint32_t old_last_blocks, last_blocks; /* of the last old group, before and after */
	uint32_t used_reserve;		       /* blocks of the reserve that become descriptors */
	bool drops_resize_inode; /* no more is reserved, and meta_bg takes its place */
};

int ext4_grow_plan(struct ext4_grow_plan *plan, const struct ext4_existing *old, uint64_t size,
		   struct mkrootfs_error *error);
/* The superblock to be, from the descriptors' counts, with its checksum. */
void ext4_grow_super(uint8_t super[EXT4_SUPER_SIZE], const struct ext4_grow_plan *plan,
		     const struct ext4_existing *old);

/* Blocks of a group: the last one may have fewer than others. */
uint32_t ext4_existing_group_blocks(const struct ext4_existing *fs, uint32_t group);
/* The bitmap of a group that has nothing but metadata, as the descriptors say. */
void ext4_grow_bitmap(uint8_t bitmap[EXT4_BLOCK_SIZE], const struct ext4_existing *fs,
		      uint32_t group);

#endif
