/* SPDX-License-Identifier: Apache-2.0 */
#include "inode_read.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"

#include <inttypes.h>
#include <string.h>

int ext4_inode_block(uint64_t *block, const struct ext4_existing *fs, struct mkrootfs_error *error)
{
	const uint8_t *desc = ext4_existing_group(fs, 0);

	*block = get_le32(desc + 0x08) | (uint64_t)get_le32(desc + 0x28) << 32;
	if (*block > fs->base_blocks && *block < fs->blocks)
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "ext4 block group 0: its inode table is at block %" PRIu64, *block);
}

uint32_t ext4_inode_checksum(const uint8_t inode[EXT4_INODE_SIZE], const struct ext4_existing *fs,
			     uint32_t number)
{
	uint8_t copy[EXT4_INODE_SIZE], le[4];
	uint32_t seed;

	memcpy(copy, inode, sizeof(copy));
	put_le16(copy + 0x7C, 0);
	put_le16(copy + 0x82, 0);
	put_le32(le, number);
	seed = crc32c(fs->seed, le, sizeof(le));
	seed = crc32c(seed, inode + 0x64, 4); /* i_generation */
	return crc32c(seed, copy, sizeof(copy));
}

void ext4_inode_seal(uint8_t inode[EXT4_INODE_SIZE], const struct ext4_existing *fs,
		     uint32_t number)
{
	uint32_t sum = ext4_inode_checksum(inode, fs, number);

	put_le16(inode + 0x7C, (uint16_t)sum);
	put_le16(inode + 0x82, (uint16_t)(sum >> 16));
}

int ext4_inode_read(uint8_t inode[EXT4_INODE_SIZE], const struct ext4_existing *fs, uint32_t number,
		    struct mkrootfs_error *error)
{
	uint8_t table[EXT4_BLOCK_SIZE];
	uint64_t block;
	uint32_t sum;

	if (ext4_inode_block(&block, fs, error) < 0 ||
	    ext4_disk_read(fs->disk, block, table, 1, error) < 0)
		return error->status;
	memcpy(inode, table + (size_t)(number - 1) * EXT4_INODE_SIZE, EXT4_INODE_SIZE);
	sum = get_le16(inode + 0x7C) | (uint32_t)get_le16(inode + 0x82) << 16;
	if (sum == ext4_inode_checksum(inode, fs, number))
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "inode %" PRIu32 ": its checksum is wrong", number);
}

static int read_extent(struct ext4_extent *extent, const uint8_t *at, uint32_t logical,
		       const struct ext4_existing *fs, struct mkrootfs_error *error)
{
	*extent = (struct ext4_extent){
		.logical = get_le32(at),
		.count = get_le16(at + 4),
		.physical = get_le32(at + 8) | (uint64_t)get_le16(at + 6) << 32,
	};
	if (extent->logical == logical && extent->count > 0 && extent->count <= EXT_INIT_MAX_LEN &&
	    extent->physical > fs->base_blocks && extent->physical < fs->blocks &&
	    extent->count <= fs->blocks - extent->physical)
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "its extents make no sense");
}

int ext4_inode_extents(struct ext4_extent extents[EXT4_INLINE_EXTENTS], uint32_t *count,
		       const uint8_t inode[EXT4_INODE_SIZE], const struct ext4_existing *fs,
		       struct mkrootfs_error *error)
{
	const uint8_t *tree = inode + 0x28;
	uint32_t logical = 0, entries = get_le16(tree + 2);

	*count = 0;
	if (!(get_le32(inode + 0x20) & EXT4_EXTENTS_FL) || get_le16(tree) != EXT4_EXT_MAGIC ||
	    entries == 0 || entries > EXT4_INLINE_EXTENTS || get_le16(tree + 6) != 0)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "its blocks are not in a few extents");
	for (uint32_t i = 0; i < entries; i++) {
		if (read_extent(&extents[i], tree + (i + 1) * EXT4_EXTENT_SIZE, logical, fs,
				error) < 0)
			return error->status;
		logical += extents[i].count;
	}
	*count = entries;
	return 0;
}
