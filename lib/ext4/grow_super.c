/* SPDX-License-Identifier: Apache-2.0 */
#include "grow_plan.h"

#include "../base/bytes.h"

#include <string.h>

/* Blocks of metadata that were added, as the kernel counts them for s_overhead_clusters. */
static uint64_t added_overhead(const struct ext4_grow_plan *plan)
{
	uint64_t blocks = 0;

	for (uint32_t group = plan->old_groups; group < plan->now.groups; group++)
		blocks += 2 + plan->now.table_blocks + ext4_existing_head(&plan->now, group);
	return blocks;
}

static void put_counts(uint8_t *super, const struct ext4_existing *now)
{
	uint64_t free_blocks = 0;
	uint32_t free_inodes = 0;

	for (uint32_t group = 0; group < now->groups; group++) {
		const uint8_t *desc = ext4_existing_group(now, group);

		free_blocks += get_le16(desc + 0x0C) | (uint32_t)get_le16(desc + 0x2C) << 16;
		free_inodes += get_le16(desc + 0x0E) | (uint32_t)get_le16(desc + 0x2E) << 16;
	}
	put_le32(super + 0x000, now->groups * now->inodes_per_group);
	put_le32(super + 0x004, (uint32_t)now->blocks);
	put_le32(super + 0x150, (uint32_t)(now->blocks >> 32));
	put_le32(super + 0x00C, (uint32_t)free_blocks);
	put_le32(super + 0x158, (uint32_t)(free_blocks >> 32));
	put_le32(super + 0x010, free_inodes);
}

/* The same share of the blocks is kept for root, to the millionth. */
static void scale_reserved(uint8_t *super, uint64_t old_blocks, uint64_t blocks)
{
	uint64_t reserved = get_le32(super + 0x008) | (uint64_t)get_le32(super + 0x154) << 32;
	uint64_t ppm;

	if (reserved > old_blocks)
		reserved = old_blocks;
	ppm = (reserved * 1000000 + old_blocks - 1) / old_blocks;
	reserved = blocks * ppm / 1000000;
	put_le32(super + 0x008, (uint32_t)reserved);
	put_le32(super + 0x154, (uint32_t)(reserved >> 32));
}

static void put_features(uint8_t *super, const struct ext4_existing *now)
{
	if (now->meta_bg) {
		put_le32(super + 0x060, get_le32(super + 0x060) | EXT4_FEATURE_INCOMPAT_META_BG);
		put_le32(super + 0x104, now->base_blocks);
	}
	if (!now->resize_inode)
		put_le32(super + 0x05C,
			 get_le32(super + 0x05C) & ~(uint32_t)EXT4_FEATURE_COMPAT_RESIZE_INODE);
	put_le16(super + 0x0CE, (uint16_t)now->reserved_blocks);
}

void ext4_grow_super(uint8_t super[EXT4_SUPER_SIZE], const struct ext4_grow_plan *plan,
		     const struct ext4_existing *old)
{
	uint32_t overhead = get_le32(old->super + 0x248);

	memcpy(super, old->super, EXT4_SUPER_SIZE);
	put_counts(super, &plan->now);
	put_features(super, &plan->now);
	scale_reserved(super, old->blocks, plan->now.blocks);
	if (overhead)
		put_le32(super + 0x248, overhead + (uint32_t)added_overhead(plan));
	ext4_seal_super(super);
}
