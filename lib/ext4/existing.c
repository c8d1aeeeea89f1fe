/* SPDX-License-Identifier: Apache-2.0 */
#include "existing.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"
#include "encode.h"
#include "existing_check.h"
#include "options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void ext4_seal_super(uint8_t super[EXT4_SUPER_SIZE])
{
	put_le32(super + 0x3FC, crc32c(UINT32_MAX, super, 0x3FC));
}

static int malformed(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "ext4 superblock: %s", what);
}

static int read_geometry(struct ext4_existing *fs, struct mkrootfs_error *error)
{
	const uint8_t *super = fs->super;
	uint64_t groups;

	fs->blocks = get_le32(super + 0x004) | (uint64_t)get_le32(super + 0x150) << 32;
	fs->inodes_per_group = get_le32(super + 0x028);
	fs->flex_log = super[0x174];
	if (fs->blocks < EXT4_MIN_SIZE / EXT4_BLOCK_SIZE ||
	    fs->blocks > EXT4_MAX_SIZE / EXT4_BLOCK_SIZE)
		return malformed(error, "the number of blocks is out of range");
	groups = (fs->blocks + EXT4_BLOCKS_PER_GROUP - 1) / EXT4_BLOCKS_PER_GROUP;
	fs->groups = (uint32_t)groups;
	if (fs->inodes_per_group == 0 || fs->inodes_per_group % EXT4_INODES_PER_BLOCK ||
	    fs->inodes_per_group > 8 * EXT4_BLOCK_SIZE)
		return malformed(error, "the number of inodes in a group is out of range");
	if (groups * fs->inodes_per_group != get_le32(super + 0x000))
		return malformed(error, "the number of inodes is not that of all groups");
	if (fs->flex_log > 31)
		return malformed(error, "the size of flex groups is out of range");
	fs->table_blocks = fs->inodes_per_group / EXT4_INODES_PER_BLOCK;
	fs->seed = ext4_checksum_seed(super + 0x068);
	return 0;
}

static int read_descriptor_places(struct ext4_existing *fs, struct mkrootfs_error *error)
{
	uint32_t needed = (fs->groups + EXT4_DESC_PER_BLOCK - 1) / EXT4_DESC_PER_BLOCK;

	fs->resize_inode = get_le32(fs->super + 0x05C) & EXT4_FEATURE_COMPAT_RESIZE_INODE;
	fs->meta_bg = get_le32(fs->super + 0x060) & EXT4_FEATURE_INCOMPAT_META_BG;
	fs->reserved_blocks = get_le16(fs->super + 0x0CE);
	fs->base_blocks = needed + fs->reserved_blocks;
	if (fs->meta_bg)
		fs->base_blocks = get_le32(fs->super + 0x104); /* s_first_meta_bg */
	if (fs->meta_bg && (fs->resize_inode || fs->reserved_blocks))
		return malformed(error, "both resize_inode and meta_bg");
	if (!fs->resize_inode && fs->reserved_blocks)
		return malformed(error, "descriptors are reserved, but there is no resize inode");
	if (fs->reserved_blocks > EXT4_ADDR_PER_BLOCK)
		return malformed(error, "more reserved descriptors than a block can name");
	if (fs->meta_bg && fs->base_blocks > needed)
		return malformed(error, "the first meta group is behind the last group");
	return 0;
}

uint32_t ext4_existing_head(const struct ext4_existing *fs, uint32_t group)
{
	uint32_t super = ext4_layout_has_super(group), slot = group % EXT4_DESC_PER_BLOCK;

	if (!fs->meta_bg || group / EXT4_DESC_PER_BLOCK < fs->base_blocks)
		return super ? 1 + fs->base_blocks : 0;
	return super + (slot <= 1 || slot == EXT4_DESC_PER_BLOCK - 1);
}

uint64_t ext4_existing_descriptor_block(const struct ext4_existing *fs, uint32_t index,
					uint32_t group)
{
	uint64_t start = (uint64_t)group * EXT4_BLOCKS_PER_GROUP;

	if (!fs->meta_bg || index < fs->base_blocks)
		return start + 1 + index;
	return start + ext4_layout_has_super(group);
}

/* bg_checksum, which itself counts as zero. */
static uint16_t group_checksum(const struct ext4_existing *fs, uint32_t group)
{
	uint8_t copy[EXT4_DESC_SIZE], number[4];

	memcpy(copy, ext4_existing_group(fs, group), sizeof(copy));
	put_le16(copy + 0x1E, 0);
	put_le32(number, group);
	return (uint16_t)crc32c(crc32c(fs->seed, number, 4), copy, sizeof(copy));
}

void ext4_existing_freed(struct ext4_existing *fs, uint32_t group,
			 const uint8_t bitmap[EXT4_BLOCK_SIZE], uint32_t freed)
{
	uint8_t *desc = ext4_existing_group(fs, group);
	uint32_t count = get_le16(desc + 0x0C) | (uint32_t)get_le16(desc + 0x2C) << 16;
	uint32_t sum = ext4_block_bitmap_checksum(bitmap, fs->seed);

	count += freed;
	put_le16(desc + 0x0C, (uint16_t)count);
	put_le16(desc + 0x2C, (uint16_t)(count >> 16));
	put_le16(desc + 0x12, get_le16(desc + 0x12) & (uint16_t)~EXT4_BG_BLOCK_UNINIT);
	put_le16(desc + 0x18, (uint16_t)sum);
	put_le16(desc + 0x38, (uint16_t)(sum >> 16));
	put_le16(desc + 0x1E, group_checksum(fs, group));
}

static int check_group(const struct ext4_existing *fs, uint32_t group, struct mkrootfs_error *error)
{
	if (get_le16(ext4_existing_group(fs, group) + 0x1E) == group_checksum(fs, group))
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "ext4 block group %" PRIu32 ": the descriptor's checksum is wrong", group);
}

static int read_descriptors(struct ext4_existing *fs, struct mkrootfs_error *error)
{
	uint32_t count = (fs->groups + EXT4_DESC_PER_BLOCK - 1) / EXT4_DESC_PER_BLOCK;

	fs->descriptors = calloc(count, EXT4_BLOCK_SIZE);
	if (!fs->descriptors)
		return error_no_memory(error);
	for (uint32_t i = 0; i < count; i++) {
		bool meta = fs->meta_bg && i >= fs->base_blocks;
		uint64_t block =
			ext4_existing_descriptor_block(fs, i, meta ? i * EXT4_DESC_PER_BLOCK : 0);

		if (ext4_disk_read(fs->disk, block, fs->descriptors + (size_t)i * EXT4_BLOCK_SIZE,
				   1, error) < 0)
			return error_prefix(error, "group descriptors: ");
	}
	for (uint32_t group = 0; group < fs->groups; group++)
		if (check_group(fs, group, error) < 0)
			return error->status;
	return 0;
}

static int check_super(struct ext4_existing *fs, struct mkrootfs_error *error)
{
	if (ext4_existing_check(fs->super, error) < 0 || read_geometry(fs, error) < 0)
		return error->status;
	return read_descriptor_places(fs, error);
}

int ext4_existing_open(struct ext4_existing *fs, const struct ext4_disk *disk,
		       struct mkrootfs_error *error)
{
	uint8_t first[EXT4_BLOCK_SIZE];

	memset(fs, 0, sizeof(*fs));
	fs->disk = disk;
	if (ext4_disk_read(disk, 0, first, 1, error) < 0)
		return error->status;
	memcpy(fs->super, first + EXT4_SUPER_OFFSET, EXT4_SUPER_SIZE);
	if (check_super(fs, error) == 0 && read_descriptors(fs, error) == 0)
		return 0;
	ext4_existing_close(fs);
	return error->status;
}

void ext4_existing_close(struct ext4_existing *fs)
{
	free(fs->descriptors);
	fs->descriptors = NULL;
}
