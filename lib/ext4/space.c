/* SPDX-License-Identifier: Apache-2.0 */
#include "space.h"

struct range {
	uint64_t start, end;
};

/* The few blocks of group 0 between its metadata and the journal. */
static struct range slot(const struct ext4_layout *layout)
{
	uint64_t end = ext4_layout_group_head(layout, 0);

	return (struct range){ end - EXT4_SLOT_BLOCKS, end };
}

/* Blocks of the journal that follow the group's head. */
static uint64_t behind_journal(const struct ext4_layout *layout, uint64_t start)
{
	for (uint32_t i = 0; i < layout->journal_extents; i++)
		if (layout->journal[i].physical == start)
			return start + layout->journal[i].count;
	return start;
}

/* From behind a group's head, and the journal, to its end. */
static struct range rest(const struct ext4_layout *layout, uint32_t group)
{
	uint64_t start = (uint64_t)group * EXT4_BLOCKS_PER_GROUP;

	return (struct range){
		behind_journal(layout, start + ext4_layout_group_head(layout, group)),
		start + ext4_layout_group_blocks(layout, group),
	};
}

/* The first free range that reaches beyond block, from there on; empty at the end. */
static struct range range_from(const struct ext4_layout *layout, uint64_t block)
{
	struct range range = slot(layout);
	uint32_t group = (uint32_t)(block / EXT4_BLOCKS_PER_GROUP);

	if (block >= range.end)
		range = (struct range){ 0 };
	while ((range.end <= block || range.start >= range.end) && group < layout->groups)
		range = rest(layout, group++);
	if (range.start < block)
		range.start = block;
	if (range.end < range.start)
		range.end = range.start;
	return range;
}

uint64_t ext4_space_start(const struct ext4_layout *layout)
{
	return slot(layout).start;
}

struct ext4_extent ext4_space_take(const struct ext4_layout *layout, uint64_t *next, uint64_t count)
{
	struct range range = range_from(layout, *next);
	uint64_t left = range.end - range.start;

	if (count > left)
		count = left;
	if (count > EXT_INIT_MAX_LEN)
		count = EXT_INIT_MAX_LEN;
	*next = range.start + count;
	return (struct ext4_extent){ .physical = range.start, .count = (uint32_t)count };
}

static uint32_t before(struct range range, uint64_t next)
{
	uint64_t end = range.end < next ? range.end : next;

	return end > range.start ? (uint32_t)(end - range.start) : 0;
}

uint32_t ext4_space_taken(const struct ext4_layout *layout, uint64_t next, uint32_t group)
{
	uint32_t taken = before(rest(layout, group), next);

	return group == 0 ? taken + before(slot(layout), next) : taken;
}
