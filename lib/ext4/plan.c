/* SPDX-License-Identifier: Apache-2.0 */
/* From options to a layout: the choices of sizes, and the refusal of those that make no sense. */
#include "layout.h"

#include "../base/checked.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FLEX_LOG_MAX 4 /* 16 groups, as mke2fs: resizing tools know it well */
/* Half a group: a flex group's metadata stays inside its first group, whatever the inode ratio. */
#define FLEX_METADATA_MAX (EXT4_BLOCKS_PER_GROUP / 2)
/* Blocks that the last group must offer beside its metadata; mke2fs has the same number. */
#define LAST_GROUP_SPARE 50
#define MIB (UINT64_C(1) << 20)

#define SIZE_TEXT 32

/* Exactly, in the largest unit that divides it. */
static const char *size_text(char out[static SIZE_TEXT], uint64_t size)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
	size_t unit = 0;

	for (; size && size % 1024 == 0 && unit < sizeof(units) / sizeof(*units) - 1; unit++)
		size /= 1024;
	snprintf(out, SIZE_TEXT, "%" PRIu64 " %s", size, units[unit]);
	return out;
}

static int check_range(const char *what, uint64_t value, uint64_t min, uint64_t max,
		       struct mkrootfs_error *error)
{
	char text[SIZE_TEXT], least[SIZE_TEXT], most[SIZE_TEXT];

	if (value >= min && value <= max)
		return 0;
	return error_set(error, MKROOTFS_ERROR_INVALID, "ext4 %s of %s: must be from %s to %s",
			 what, size_text(text, value), size_text(least, min), size_text(most, max));
}

static int check_time(int64_t time, struct mkrootfs_error *error)
{
	if (time >= EXT4_TIME_MIN && time <= EXT4_TIME_MAX)
		return 0;
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "ext4 time %" PRId64 ": inodes hold %" PRId64 " to %" PRId64, time,
			 EXT4_TIME_MIN, EXT4_TIME_MAX);
}

static int check_identity(const struct ext4_options *options, struct mkrootfs_error *error)
{
	static const uint8_t nil[sizeof(options->uuid)];

	if (!memcmp(options->uuid, nil, sizeof(nil)))
		return error_set(error, MKROOTFS_ERROR_INVALID, "ext4 UUID: must not be all zeros");
	if (!memchr(options->label, '\0', sizeof(options->label)))
		return error_set(error, MKROOTFS_ERROR_INVALID, "ext4 label: longer than %d bytes",
				 EXT4_LABEL_MAX);
	return 0;
}

static int check_options(const struct ext4_options *options, struct mkrootfs_error *error)
{
	int status = check_range("size", options->size, EXT4_MIN_SIZE, EXT4_MAX_SIZE, error);

	if (status == 0 && options->inode_ratio)
		status = check_range("inode ratio", options->inode_ratio, EXT4_MIN_INODE_RATIO,
				     EXT4_MAX_INODE_RATIO, error);
	if (status == 0 && options->max_size)
		status = check_range("maximum size", options->max_size, options->size,
				     EXT4_MAX_RESERVED_SIZE, error);
	if (status == 0 && options->root_ppm > EXT4_MAX_ROOT_PPM)
		status = error_set(error, MKROOTFS_ERROR_INVALID,
				   "ext4 blocks reserved for root: more than half of all");
	if (status == 0)
		status = check_time(options->time, error);
	return status == 0 ? check_identity(options, error) : status;
}

static uint64_t groups_of(uint64_t blocks)
{
	return (blocks + EXT4_BLOCKS_PER_GROUP - 1) / EXT4_BLOCKS_PER_GROUP;
}

static uint32_t descriptor_blocks_of(uint64_t groups)
{
	return (uint32_t)((groups + EXT4_DESC_PER_BLOCK - 1) / EXT4_DESC_PER_BLOCK);
}

/*
 * Where growth was asked for there is at least one block, so that there is a resize inode: without
 * one, older kernels go over to meta_bg even where the descriptors would still fit.
 */
static void plan_reserve(struct ext4_layout *layout, uint64_t max_size)
{
	uint32_t wanted = descriptor_blocks_of(groups_of(max_size / EXT4_BLOCK_SIZE));

	if (max_size / EXT4_BLOCK_SIZE <= layout->blocks)
		layout->reserved_descriptor_blocks = 0;
	else if (wanted <= layout->descriptor_blocks)
		layout->reserved_descriptor_blocks = 1;
	else
		layout->reserved_descriptor_blocks = wanted - layout->descriptor_blocks;
}

static void plan_groups(struct ext4_layout *layout, uint64_t blocks, uint64_t inodes,
			uint64_t max_size)
{
	uint64_t groups = groups_of(blocks);
	uint64_t per_group = round_up_u64((inodes + groups - 1) / groups, EXT4_INODES_PER_BLOCK);

	if (per_group > 8 * EXT4_BLOCK_SIZE) /* the bits of an inode bitmap */
		per_group = 8 * EXT4_BLOCK_SIZE;
	layout->blocks = blocks;
	layout->groups = (uint32_t)groups;
	layout->descriptor_blocks = descriptor_blocks_of(groups);
	layout->inodes_per_group = (uint32_t)per_group;
	layout->table_blocks = (uint32_t)per_group / EXT4_INODES_PER_BLOCK;
	plan_reserve(layout, max_size);
}

/* Whether the last group, when not whole, could not even hold metadata of its own. */
static bool last_group_too_small(const struct ext4_layout *layout)
{
	uint32_t last = layout->groups - 1, needed = 2 + layout->table_blocks + LAST_GROUP_SPARE;

	if (ext4_layout_has_super(last))
		needed += 1 + layout->descriptor_blocks + layout->reserved_descriptor_blocks;
	return last > 0 && ext4_layout_group_blocks(layout, last) < needed;
}

/* Also of the filesystem that this one may grow to. */
static int check_inodes(const struct ext4_layout *layout, uint64_t inode_ratio, uint64_t max_size,
			struct mkrootfs_error *error)
{
	uint64_t groups = groups_of(max_size / EXT4_BLOCK_SIZE);

	if (groups < layout->groups)
		groups = layout->groups;
	if (groups * layout->inodes_per_group <= UINT32_MAX)
		return 0;
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "ext4 inode ratio of %" PRIu64 " bytes: more than %" PRIu32
			 " inodes in %" PRIu64 " bytes",
			 inode_ratio, UINT32_MAX, max_size ? max_size : layout->size);
}

/* A block of pointers is all that the resize inode has. */
static int check_reserve(const struct ext4_layout *layout, struct mkrootfs_error *error)
{
	const uint64_t each = (uint64_t)EXT4_DESC_PER_BLOCK * EXT4_BLOCKS_PER_GROUP;
	uint64_t most = layout->descriptor_blocks + EXT4_ADDR_PER_BLOCK;

	if (layout->reserved_descriptor_blocks <= EXT4_ADDR_PER_BLOCK)
		return 0;
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "ext4 maximum size: a filesystem of %" PRIu64
			 " bytes can have a reserve up to %" PRIu64 " bytes",
			 layout->size, most * each * EXT4_BLOCK_SIZE);
}

static int plan_geometry(struct ext4_layout *layout, uint64_t inode_ratio, uint64_t least_inodes,
			 uint64_t max_size, struct mkrootfs_error *error)
{
	uint64_t blocks = layout->size / EXT4_BLOCK_SIZE;
	uint64_t inodes = (layout->size + inode_ratio - 1) / inode_ratio;

	if (inodes < least_inodes)
		inodes = least_inodes;
	plan_groups(layout, blocks, inodes, max_size);
	if (last_group_too_small(layout))
		plan_groups(layout, blocks - blocks % EXT4_BLOCKS_PER_GROUP, inodes, max_size);
	if (check_inodes(layout, inode_ratio, max_size, error) < 0 ||
	    check_reserve(layout, error) < 0)
		return error->status;
	layout->flex_log = FLEX_LOG_MAX;
	while ((2 + layout->table_blocks) << layout->flex_log > FLEX_METADATA_MAX)
		layout->flex_log--;
	return 0;
}

/*
 * The sizes of mke2fs, but no more than 64 MiB: a guest that lives for minutes does not fill more,
 * and each block of the journal that was ever used takes disk on the host.
 */
static uint64_t default_journal_size(uint64_t size)
{
	if (size < 128 * MIB)
		return 4 * MIB;
	if (size < 1024 * MIB)
		return 16 * MIB;
	return size < 2048 * MIB ? 32 * MIB : 64 * MIB;
}

static int no_room(const struct ext4_layout *layout, struct mkrootfs_error *error)
{
	if (layout->reserved_descriptor_blocks > 1)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "ext4 maximum size: no room for the %" PRIu32
				 " blocks that it reserves beside a journal of %" PRIu32,
				 layout->reserved_descriptor_blocks, layout->journal_blocks);
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "ext4 journal of %" PRIu32 " blocks: no room for it",
			 layout->journal_blocks);
}

/*
 * One extent a group, from the end of its head on. The first groups always have room in no more
 * extents than an inode holds, since the journal is at most half of the blocks and two whole
 * groups.
 */
static int place_journal(struct ext4_layout *layout, struct mkrootfs_error *error)
{
	uint32_t placed = 0;

	for (uint32_t group = 0; placed < layout->journal_blocks; group++) {
		uint32_t head, available, left = layout->journal_blocks - placed;

		if (group == layout->groups || group == EXT4_INLINE_EXTENTS)
			return no_room(layout, error);
		head = ext4_layout_group_head(layout, group);
		available = ext4_layout_group_blocks(layout, group) - head;
		layout->journal[layout->journal_extents++] = (struct ext4_extent){
			.logical = placed,
			.count = left < available ? left : available,
			.physical = (uint64_t)group * EXT4_BLOCKS_PER_GROUP + head,
		};
		placed += left < available ? left : available;
	}
	return 0;
}

static int plan_journal(struct ext4_layout *layout, uint64_t size, struct mkrootfs_error *error)
{
	uint64_t half = layout->blocks * EXT4_BLOCK_SIZE / 2;
	uint64_t max = half < EXT4_MAX_JOURNAL_SIZE ? half : EXT4_MAX_JOURNAL_SIZE;

	if (size == 0)
		size = default_journal_size(layout->size);
	if (check_range("journal size", size, EXT4_MIN_JOURNAL_SIZE, max, error) < 0)
		return error->status;
	layout->journal_blocks = (uint32_t)(size / EXT4_BLOCK_SIZE);
	return place_journal(layout, error);
}

int ext4_layout_plan(struct ext4_layout *out, const struct ext4_options *options,
		     struct mkrootfs_error *error)
{
	uint64_t ratio = options->inode_ratio ? options->inode_ratio : EXT4_DEFAULT_INODE_RATIO;
	uint64_t least_inodes = EXT4_INODES_PER_BLOCK;

	if (options->least_inodes > least_inodes)
		least_inodes = options->least_inodes;

	memset(out, 0, sizeof(*out));
	if (check_options(options, error) < 0)
		return error->status;
	out->size = options->size - options->size % EXT4_BLOCK_SIZE;
	if (plan_geometry(out, ratio, least_inodes, options->max_size, error) < 0 ||
	    plan_journal(out, options->journal_size, error) < 0) {
		memset(out, 0, sizeof(*out));
		return error->status;
	}
	return 0;
}
