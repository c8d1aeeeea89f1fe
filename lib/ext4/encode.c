/* SPDX-License-Identifier: Apache-2.0 */
#include "encode.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"

#include <string.h>

uint32_t ext4_checksum_seed(const uint8_t uuid[16])
{
	return crc32c(UINT32_MAX, uuid, 16);
}

static uint32_t checksum_number(uint32_t seed, uint32_t number)
{
	uint8_t le[4];

	put_le32(le, number);
	return crc32c(seed, le, sizeof(le));
}

uint32_t ext4_inode_seed(uint32_t seed, uint32_t number)
{
	return checksum_number(checksum_number(seed, number), 0);
}

uint32_t ext4_block_bitmap_checksum(const uint8_t bitmap[EXT4_BLOCK_SIZE], uint32_t seed)
{
	return crc32c(seed, bitmap, EXT4_BLOCKS_PER_GROUP / 8);
}

uint32_t ext4_inode_bitmap_checksum(const uint8_t bitmap[EXT4_BLOCK_SIZE], uint32_t seed,
				    uint32_t inodes_per_group)
{
	return crc32c(seed, bitmap, inodes_per_group / 8);
}

/* The halves of a value that the 64bit feature has split. */
static void put_split32(uint8_t *low, uint8_t *high, uint64_t value)
{
	put_le32(low, (uint32_t)value);
	put_le32(high, (uint32_t)(value >> 32));
}

static void put_split16(uint8_t *low, uint8_t *high, uint32_t value)
{
	put_le16(low, (uint16_t)value);
	put_le16(high, (uint16_t)(value >> 16));
}

void ext4_encode_group(uint8_t out[EXT4_DESC_SIZE], const struct ext4_group *desc, uint32_t seed,
		       uint32_t group)
{
	memset(out, 0, EXT4_DESC_SIZE);
	put_split32(out + 0x00, out + 0x20, desc->block_bitmap);
	put_split32(out + 0x04, out + 0x24, desc->inode_bitmap);
	put_split32(out + 0x08, out + 0x28, desc->inode_table);
	put_split16(out + 0x0C, out + 0x2C, desc->free_blocks);
	put_split16(out + 0x0E, out + 0x2E, desc->free_inodes);
	put_split16(out + 0x10, out + 0x30, desc->used_directories);
	put_le16(out + 0x12, desc->flags);
	put_split16(out + 0x18, out + 0x38, desc->block_bitmap_checksum);
	put_split16(out + 0x1A, out + 0x3A, desc->inode_bitmap_checksum);
	put_split16(out + 0x1C, out + 0x32, desc->unused_inodes);
	/* bg_checksum, the lower half of the sum with itself as zero */
	put_le16(out + 0x1E, (uint16_t)crc32c(checksum_number(seed, group), out, EXT4_DESC_SIZE));
}

static void encode_extent(uint8_t out[EXT4_EXTENT_SIZE], const struct ext4_extent *extent)
{
	put_le32(out + 0, extent->logical);
	put_le16(out + 4, (uint16_t)extent->count);
	put_le16(out + 6, (uint16_t)(extent->physical >> 32));
	put_le32(out + 8, (uint32_t)extent->physical);
}

void ext4_encode_extents(uint8_t out[EXT4_I_BLOCK_SIZE], const struct ext4_extent *extents,
			 uint32_t count)
{
	memset(out, 0, EXT4_I_BLOCK_SIZE);
	put_le16(out + 0, EXT4_EXT_MAGIC);
	put_le16(out + 2, (uint16_t)count);
	put_le16(out + 4, EXT4_INLINE_EXTENTS); /* eh_max; eh_depth 0: the entries are extents */
	for (uint32_t i = 0; i < count; i++)
		encode_extent(out + (1 + i) * EXT4_EXTENT_SIZE, &extents[i]);
}

/* Seconds as a signed low word and two more bits, that count how often it has wrapped. */
static void put_time(uint8_t *seconds, uint8_t *extra, const struct ext4_inode *inode)
{
	int64_t epoch = (inode->time - EXT4_TIME_MIN) >> 32;

	put_le32(seconds, (uint32_t)(uint64_t)inode->time);
	put_le32(extra, inode->time_nsec << EXT4_EPOCH_BITS | (uint32_t)epoch);
}

static void put_times(uint8_t *out, const struct ext4_inode *inode)
{
	put_time(out + 0x08, out + 0x8C, inode); /* i_atime */
	put_time(out + 0x0C, out + 0x84, inode); /* i_ctime */
	put_time(out + 0x10, out + 0x88, inode); /* i_mtime */
	put_time(out + 0x90, out + 0x94, inode); /* i_crtime */
}

static void put_blocks(uint8_t *out, const struct ext4_inode *inode)
{
	uint64_t sectors = inode->blocks * EXT4_SECTORS_PER_BLOCK;

	put_le32(out + 0x1C, (uint32_t)sectors);
	put_le16(out + 0x74, (uint16_t)(sectors >> 32));
	if (inode->i_block) {
		put_le32(out + 0x20, inode->flags);
		memcpy(out + 0x28, inode->i_block, EXT4_I_BLOCK_SIZE);
	} else {
		put_le32(out + 0x20, EXT4_EXTENTS_FL | inode->flags);
		ext4_encode_extents(out + 0x28, inode->extents, inode->extent_count);
	}
}

static void put_xattrs(uint8_t *out, const struct ext4_inode *inode)
{
	put_le32(out + 0x68, (uint32_t)inode->xattr_block); /* i_file_acl */
	put_le16(out + 0x76, (uint16_t)(inode->xattr_block >> 32));
	if (inode->xattr_body)
		memcpy(out + EXT4_GOOD_OLD_INODE_SIZE + EXT4_EXTRA_ISIZE, inode->xattr_body,
		       EXT4_XATTR_BODY_SIZE);
}

void ext4_encode_inode(uint8_t out[EXT4_INODE_SIZE], const struct ext4_inode *inode, uint32_t seed,
		       uint32_t number)
{
	memset(out, 0, EXT4_INODE_SIZE);
	put_le16(out + 0x00, inode->mode);
	put_split16(out + 0x02, out + 0x78, inode->uid);
	put_split16(out + 0x18, out + 0x7A, inode->gid);
	put_split32(out + 0x04, out + 0x6C, inode->size);
	put_times(out, inode);
	put_le16(out + 0x1A, inode->links);
	put_blocks(out, inode);
	put_xattrs(out, inode);
	put_le16(out + 0x80, EXT4_EXTRA_ISIZE);
	/* i_checksum_lo, i_checksum_hi, over the inode with both as zero */
	put_split16(out + 0x7C, out + 0x82,
		    crc32c(ext4_inode_seed(seed, number), out, EXT4_INODE_SIZE));
}
