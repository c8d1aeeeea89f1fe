/* SPDX-License-Identifier: Apache-2.0 */
#include "bitmap.h"

#include "space.h"

#include <string.h>

static void set_bit(uint8_t *bitmap, uint32_t bit)
{
	bitmap[bit / 8] = (uint8_t)(bitmap[bit / 8] | 1u << bit % 8);
}

/* Sets the bits [start, end): single ones up to whole bytes at both ends. */
static void set_range(uint8_t *bitmap, uint32_t start, uint32_t end)
{
	while (start < end && start % 8)
		set_bit(bitmap, start++);
	while (end > start && end % 8)
		set_bit(bitmap, --end);
	memset(bitmap + start / 8, 0xff, (end - start) / 8);
}

/* The part of an extent that lies in the group. */
static void set_extent(uint8_t *bitmap, const struct ext4_extent *extent, uint32_t group)
{
	uint64_t group_start = (uint64_t)group * EXT4_BLOCKS_PER_GROUP;
	uint64_t group_end = group_start + EXT4_BLOCKS_PER_GROUP;
	uint64_t start = extent->physical, end = extent->physical + extent->count;

	if (start < group_start)
		start = group_start;
	if (end > group_end)
		end = group_end;
	if (start < end)
		set_range(bitmap, (uint32_t)(start - group_start), (uint32_t)(end - group_start));
}

void ext4_bitmap_blocks(uint8_t bitmap[EXT4_BLOCK_SIZE], const struct ext4_layout *layout,
			uint32_t group, uint64_t content_end)
{
	uint64_t start = (uint64_t)group * EXT4_BLOCKS_PER_GROUP, next = start;
	uint32_t head = ext4_layout_group_head(layout, group);

	memset(bitmap, 0, EXT4_BLOCK_SIZE);
	set_range(bitmap, 0, group == 0 ? head - EXT4_SLOT_BLOCKS : head);
	for (uint32_t i = 0; i < layout->journal_extents; i++)
		set_extent(bitmap, &layout->journal[i], group);
	while (next < content_end) {
		struct ext4_extent run = ext4_space_take(layout, &next, content_end - next);

		if (run.count == 0 || run.physical >= start + EXT4_BLOCKS_PER_GROUP)
			break;
		if (run.physical + run.count > content_end)
			run.count = run.physical < content_end
					    ? (uint32_t)(content_end - run.physical)
					    : 0;
		set_extent(bitmap, &run, group);
	}
	set_range(bitmap, ext4_layout_group_blocks(layout, group), EXT4_BLOCKS_PER_GROUP);
}

void ext4_bitmap_inodes(uint8_t bitmap[EXT4_BLOCK_SIZE], const struct ext4_layout *layout,
			uint32_t used)
{
	memset(bitmap, 0, EXT4_BLOCK_SIZE);
	set_range(bitmap, 0, used);
	set_range(bitmap, layout->inodes_per_group, 8 * EXT4_BLOCK_SIZE);
}
