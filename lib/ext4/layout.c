/* SPDX-License-Identifier: Apache-2.0 */
#include "layout.h"

#include <string.h>

static bool is_power_of(uint32_t value, uint32_t base)
{
	while (value % base == 0)
		value /= base;
	return value == 1;
}

bool ext4_layout_has_super(uint32_t group)
{
	return group <= 1 || is_power_of(group, 3) || is_power_of(group, 5) ||
	       is_power_of(group, 7);
}

static uint64_t next_power(uint32_t value, uint32_t base)
{
	uint64_t power = base;

	while (power <= value)
		power *= base;
	return power;
}

uint32_t ext4_layout_next_super(uint32_t group)
{
	uint64_t next = next_power(group, 3), of_5 = next_power(group, 5),
		 of_7 = next_power(group, 7);

	if (group == 0)
		return 1;
	next = of_5 < next ? of_5 : next;
	next = of_7 < next ? of_7 : next;
	return next < UINT32_MAX ? (uint32_t)next : UINT32_MAX;
}

uint32_t ext4_layout_group_blocks(const struct ext4_layout *layout, uint32_t group)
{
	uint64_t start = (uint64_t)group * EXT4_BLOCKS_PER_GROUP;
	uint64_t left = layout->blocks - start;

	return left < EXT4_BLOCKS_PER_GROUP ? (uint32_t)left : EXT4_BLOCKS_PER_GROUP;
}

/* Blocks of superblock and descriptors, and those reserved for more, at the group's start. */
static uint32_t super_blocks(const struct ext4_layout *layout, uint32_t group)
{
	if (!ext4_layout_has_super(group))
		return 0;
	return 1 + layout->descriptor_blocks + layout->reserved_descriptor_blocks;
}

static uint32_t flex_first(const struct ext4_layout *layout, uint32_t group)
{
	return group >> layout->flex_log << layout->flex_log;
}

/* Groups in the flex group that starts with first. */
static uint32_t flex_groups(const struct ext4_layout *layout, uint32_t first)
{
	uint32_t left = layout->groups - first;

	return left < 1u << layout->flex_log ? left : 1u << layout->flex_log;
}

/* Blocks that only the resize inode needs. */
static uint32_t resize_blocks(const struct ext4_layout *layout)
{
	return layout->reserved_descriptor_blocks ? 1 : 0;
}

uint32_t ext4_layout_group_head(const struct ext4_layout *layout, uint32_t group)
{
	uint32_t blocks = super_blocks(layout, group);

	if (flex_first(layout, group) == group)
		blocks += flex_groups(layout, group) * (2 + layout->table_blocks);
	return group == 0 ? blocks + resize_blocks(layout) + EXT4_SLOT_BLOCKS : blocks;
}

/* Blocks of the journal inside [start, end). */
static uint32_t journal_blocks_in(const struct ext4_layout *layout, uint64_t start, uint64_t end)
{
	uint64_t blocks = 0;

	for (uint32_t i = 0; i < layout->journal_extents; i++) {
		uint64_t from = layout->journal[i].physical, to = from + layout->journal[i].count;

		from = from < start ? start : from;
		to = to > end ? end : to;
		blocks += from < to ? to - from : 0;
	}
	return (uint32_t)blocks;
}

static void place(struct ext4_group *out, const struct ext4_layout *layout, uint32_t group)
{
	uint32_t first = flex_first(layout, group), count = flex_groups(layout, first);
	uint64_t start = (uint64_t)first * EXT4_BLOCKS_PER_GROUP + super_blocks(layout, first);
	uint32_t index = group - first;

	out->block_bitmap = start + index;
	out->inode_bitmap = start + count + index;
	out->inode_table = start + 2 * count + (uint64_t)index * layout->table_blocks;
}

/*
 * A kernel that finds BLOCK_UNINIT makes the bitmap from the group's superblock, descriptors and
 * those own bitmaps and table that lie in the group, so nothing else may be in use there. As
 * mke2fs, the last group always has a bitmap, for the bits past its end.
 */
static bool needs_block_bitmap(const struct ext4_layout *layout, uint32_t group, uint32_t journal)
{
	return flex_first(layout, group) == group || group == layout->groups - 1 || journal > 0;
}

void ext4_layout_group(struct ext4_group *out, const struct ext4_layout *layout, uint32_t group)
{
	uint32_t blocks = ext4_layout_group_blocks(layout, group);
	uint64_t start = (uint64_t)group * EXT4_BLOCKS_PER_GROUP;
	uint32_t journal = journal_blocks_in(layout, start, start + blocks);
	uint32_t used = group == 0 ? EXT4_GOOD_OLD_FIRST_INO - 1 : 0;

	memset(out, 0, sizeof(*out));
	place(out, layout, group);
	out->free_blocks = blocks - ext4_layout_group_head(layout, group) - journal;
	if (group == 0)
		out->free_blocks += EXT4_SLOT_BLOCKS;
	out->free_inodes = layout->inodes_per_group - used;
	out->unused_inodes = out->free_inodes;
	/* Every inode table is zeros, being a hole of the file. */
	out->flags = EXT4_BG_INODE_ZEROED;
	if (group > 0)
		out->flags |= EXT4_BG_INODE_UNINIT;
	if (!needs_block_bitmap(layout, group, journal))
		out->flags |= EXT4_BG_BLOCK_UNINIT;
}

uint64_t ext4_layout_resize_block(const struct ext4_layout *layout)
{
	return ext4_layout_group_head(layout, 0) - EXT4_SLOT_BLOCKS - 1;
}

uint64_t ext4_layout_overhead(const struct ext4_layout *layout)
{
	uint64_t blocks = (uint64_t)layout->groups * (2 + layout->table_blocks);

	for (uint32_t group = 0; group < layout->groups; group++)
		blocks += super_blocks(layout, group);
	return blocks + layout->journal_blocks;
}

uint64_t ext4_layout_free_blocks(const struct ext4_layout *layout)
{
	return layout->blocks - ext4_layout_overhead(layout) - resize_blocks(layout);
}
