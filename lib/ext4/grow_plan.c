/* SPDX-License-Identifier: Apache-2.0 */
#include "grow_plan.h"

#include "../base/bytes.h"
#include "bits.h"
#include "encode.h"
#include "options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Half a group, as in a fresh image: metadata of several groups stay inside the first of them. */
#define RUN_METADATA_MAX (EXT4_BLOCKS_PER_GROUP / 2)
#define LAST_GROUP_SPARE 50 /* blocks, as in a fresh image */

uint32_t ext4_existing_group_blocks(const struct ext4_existing *fs, uint32_t group)
{
	uint64_t left = fs->blocks - (uint64_t)group * EXT4_BLOCKS_PER_GROUP;

	return left < EXT4_BLOCKS_PER_GROUP ? (uint32_t)left : EXT4_BLOCKS_PER_GROUP;
}

static uint32_t descriptor_blocks(uint32_t groups)
{
	return (groups + EXT4_DESC_PER_BLOCK - 1) / EXT4_DESC_PER_BLOCK;
}

/* Where the descriptors go; see grow.h. */
static void place_descriptors(struct ext4_grow_plan *plan, const struct ext4_existing *old)
{
	uint32_t needed = descriptor_blocks(plan->now.groups);
	uint32_t have = old->base_blocks - old->reserved_blocks;

	if (old->meta_bg || needed <= have)
		return;
	if (needed <= old->base_blocks) {
		plan->used_reserve = needed - have;
	} else {
		plan->used_reserve = old->reserved_blocks;
		plan->now.meta_bg = true;
		plan->now.resize_inode = false;
		plan->drops_resize_inode = old->resize_inode;
	}
	plan->now.reserved_blocks -= plan->used_reserve;
}

static void set_blocks(struct ext4_grow_plan *plan, const struct ext4_existing *old,
		       uint64_t blocks)
{
	plan->now.blocks = blocks;
	plan->now.groups = (uint32_t)((blocks + EXT4_BLOCKS_PER_GROUP - 1) / EXT4_BLOCKS_PER_GROUP);
	plan->now.meta_bg = old->meta_bg;
	plan->now.resize_inode = old->resize_inode;
	plan->now.reserved_blocks = old->reserved_blocks;
	plan->used_reserve = 0;
	plan->drops_resize_inode = false;
	place_descriptors(plan, old);
}

static int refuse_less(const struct ext4_existing *old, uint64_t size, struct mkrootfs_error *error)
{
	error_set(error, MKROOTFS_ERROR_INVALID,
		  "the ext4 filesystem has %" PRIu64 " bytes, more than %" PRIu64
		  ": it can only be made larger",
		  old->blocks * EXT4_BLOCK_SIZE, size);
	return error_advise(error, "resize2fs(8) makes one smaller, as far as its files allow");
}

static int plan_size(struct ext4_grow_plan *plan, const struct ext4_existing *old, uint64_t size,
		     struct mkrootfs_error *error)
{
	uint64_t blocks = size / EXT4_BLOCK_SIZE;
	uint32_t last, needed;

	if (blocks < old->blocks)
		return refuse_less(old, size, error);
	if (size > EXT4_MAX_SIZE)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "ext4 size of %" PRIu64 " bytes: must be at most %" PRIu64, size,
				 EXT4_MAX_SIZE);
	set_blocks(plan, old, blocks);
	last = plan->now.groups - 1;
	needed = 2 + plan->now.table_blocks + LAST_GROUP_SPARE +
		 ext4_existing_head(&plan->now, last);
	if (last >= old->groups && ext4_existing_group_blocks(&plan->now, last) < needed)
		set_blocks(plan, old, (uint64_t)last * EXT4_BLOCKS_PER_GROUP);
	return 0;
}

static int check_limits(const struct ext4_existing *now, struct mkrootfs_error *error)
{
	if ((uint64_t)now->groups * now->inodes_per_group > UINT32_MAX)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "the ext4 filesystem would have more than %" PRIu32 " inodes",
				 UINT32_MAX);
	if (now->resize_inode && now->blocks > UINT64_C(1) << 32)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "an ext4 filesystem with a resize inode grows to %" PRIu64
				 " bytes at most",
				 EXT4_MAX_RESERVED_SIZE);
	return 0;
}

/* New groups whose metadata stand together: within their flex group, and half of the first. */
static uint32_t run_length(const struct ext4_existing *now, uint32_t first)
{
	uint64_t flex_end = ((uint64_t)first >> now->flex_log) + 1;
	uint32_t each = 2 + now->table_blocks, most = RUN_METADATA_MAX / each;

	flex_end <<= now->flex_log;
	if (flex_end > now->groups)
		flex_end = now->groups;
	return flex_end - first < most ? (uint32_t)flex_end - first : most;
}

static void describe_group(struct ext4_grow_plan *plan, uint32_t first, uint32_t count, uint32_t i)
{
	struct ext4_existing *now = &plan->now;
	uint64_t start = (uint64_t)first * EXT4_BLOCKS_PER_GROUP + ext4_existing_head(now, first);
	uint32_t group = first + i, used = ext4_existing_head(now, group);
	struct ext4_group desc = {
		.block_bitmap = start + i,
		.inode_bitmap = start + count + i,
		.inode_table = start + 2 * count + (uint64_t)i * now->table_blocks,
		.free_inodes = now->inodes_per_group,
		.unused_inodes = now->inodes_per_group,
		.flags = EXT4_BG_INODE_ZEROED | EXT4_BG_INODE_UNINIT | EXT4_BG_BLOCK_UNINIT,
	};

	if (i == 0)
		used += count * (2 + now->table_blocks);
	desc.free_blocks = ext4_existing_group_blocks(now, group) - used;
	ext4_encode_group(ext4_existing_group(now, group), &desc, now->seed, group);
}

/* Only the first has metadata of others, which a kernel could not derive; see ext4_layout_group. */
static void plan_run(struct ext4_grow_plan *plan, uint32_t first, uint32_t count)
{
	struct ext4_existing *now = &plan->now;
	uint8_t bitmap[EXT4_BLOCK_SIZE];

	for (uint32_t i = 0; i < count; i++)
		describe_group(plan, first, count, i);
	for (uint32_t group = first; group < first + count; group++) {
		if (group != first && group != now->groups - 1)
			continue;
		ext4_grow_bitmap(bitmap, now, group);
		ext4_existing_freed(now, group, bitmap, 0);
	}
}

static int plan_groups(struct ext4_grow_plan *plan, const struct ext4_existing *old,
		       struct mkrootfs_error *error)
{
	struct ext4_existing *now = &plan->now;
	uint32_t count;

	now->descriptors = calloc(descriptor_blocks(now->groups), EXT4_BLOCK_SIZE);
	if (!now->descriptors)
		return error_no_memory(error);
	memcpy(now->descriptors, old->descriptors, (size_t)old->groups * EXT4_DESC_SIZE);
	for (uint32_t first = old->groups; first < now->groups; first += count) {
		count = run_length(now, first);
		plan_run(plan, first, count);
	}
	return 0;
}

int ext4_grow_plan(struct ext4_grow_plan *plan, const struct ext4_existing *old, uint64_t size,
		   struct mkrootfs_error *error)
{
	memset(plan, 0, sizeof(*plan));
	plan->now = *old;
	plan->now.descriptors = NULL;
	plan->old_groups = old->groups;
	if (plan_size(plan, old, size, error) < 0 || check_limits(&plan->now, error) < 0)
		return error->status;
	plan->old_last_blocks = ext4_existing_group_blocks(old, old->groups - 1);
	plan->last_blocks = ext4_existing_group_blocks(&plan->now, old->groups - 1);
	return plan_groups(plan, old, error);
}

/* The part of blocks [start, start + count) that lies in the group. */
static void set_part(uint8_t *bitmap, uint32_t group, uint64_t start, uint32_t count)
{
	uint64_t from = (uint64_t)group * EXT4_BLOCKS_PER_GROUP;
	uint64_t until = from + EXT4_BLOCKS_PER_GROUP, end = start + count;

	start = start < from ? from : start;
	end = end > until ? until : end;
	if (start < end)
		ext4_bits_set(bitmap, (uint32_t)(start - from), (uint32_t)(end - from));
}

static uint64_t get_split(const uint8_t *low, const uint8_t *high)
{
	return get_le32(low) | (uint64_t)get_le32(high) << 32;
}

void ext4_grow_bitmap(uint8_t bitmap[EXT4_BLOCK_SIZE], const struct ext4_existing *fs,
		      uint32_t group)
{
	uint64_t flex_end = (((uint64_t)group >> fs->flex_log) + 1) << fs->flex_log;

	memset(bitmap, 0, EXT4_BLOCK_SIZE);
	ext4_bits_set(bitmap, 0, ext4_existing_head(fs, group));
	for (uint32_t other = group; other < flex_end && other < fs->groups; other++) {
		const uint8_t *desc = ext4_existing_group(fs, other);

		set_part(bitmap, group, get_split(desc, desc + 0x20), 1);
		set_part(bitmap, group, get_split(desc + 4, desc + 0x24), 1);
		set_part(bitmap, group, get_split(desc + 8, desc + 0x28), fs->table_blocks);
	}
	ext4_bits_set(bitmap, ext4_existing_group_blocks(fs, group), EXT4_BLOCKS_PER_GROUP);
}
