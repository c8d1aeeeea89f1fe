/* SPDX-License-Identifier: Apache-2.0 */
#include "encode.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"

#include <string.h>

static void put_counts(uint8_t *out, const struct ext4_super *super)
{
	put_le32(out + 0x000, super->inodes);
	put_le32(out + 0x004, (uint32_t)super->blocks);
	put_le32(out + 0x150, (uint32_t)(super->blocks >> 32));
	put_le32(out + 0x008, (uint32_t)super->root_blocks); /* s_r_blocks_count */
	put_le32(out + 0x154, (uint32_t)(super->root_blocks >> 32));
	put_le32(out + 0x00C, (uint32_t)super->free_blocks);
	put_le32(out + 0x158, (uint32_t)(super->free_blocks >> 32));
	put_le32(out + 0x010, super->free_inodes);
	put_le32(out + 0x248, (uint32_t)super->overhead); /* s_overhead_clusters */
}

static void put_geometry(uint8_t *out, const struct ext4_super *super)
{
	put_le32(out + 0x018, EXT4_BLOCK_LOG_SIZE - EXT4_MIN_BLOCK_LOG_SIZE);
	put_le32(out + 0x01C, EXT4_BLOCK_LOG_SIZE - EXT4_MIN_BLOCK_LOG_SIZE); /* clusters */
	put_le32(out + 0x020, EXT4_BLOCKS_PER_GROUP);
	put_le32(out + 0x024, EXT4_BLOCKS_PER_GROUP); /* s_clusters_per_group */
	put_le32(out + 0x028, super->inodes_per_group);
	put_le32(out + 0x054, EXT4_GOOD_OLD_FIRST_INO);
	put_le16(out + 0x058, EXT4_INODE_SIZE);
	put_le16(out + 0x05A, (uint16_t)super->group); /* s_block_group_nr: 16 bits, cut */
	put_le16(out + 0x0CE, (uint16_t)super->reserved_descriptor_blocks);
	put_le16(out + 0x0FE, EXT4_DESC_SIZE);
	put_le16(out + 0x15C, EXT4_EXTRA_ISIZE); /* s_min_extra_isize */
	put_le16(out + 0x15E, EXT4_EXTRA_ISIZE); /* s_want_extra_isize */
	out[0x174] = (uint8_t)super->flex_log;
}

static void put_state(uint8_t *out)
{
	put_le16(out + 0x036, EXT4_MAX_MNT_COUNT_NEVER);
	put_le16(out + 0x038, EXT4_SUPER_MAGIC);
	put_le16(out + 0x03A, EXT4_VALID_FS);
	put_le16(out + 0x03C, EXT4_ERRORS_CONTINUE);
	put_le32(out + 0x048, EXT4_OS_LINUX);
	put_le32(out + 0x04C, EXT4_DYNAMIC_REV);
	put_le32(out + 0x100, EXT4_DEFM_XATTR_USER | EXT4_DEFM_ACL);
}

static void put_features(uint8_t *out, const struct ext4_super *super)
{
	put_le32(
		out + 0x05C,
		EXT4_FEATURE_COMPAT_HAS_JOURNAL | EXT4_FEATURE_COMPAT_EXT_ATTR |
			EXT4_FEATURE_COMPAT_DIR_INDEX |
			(super->reserved_descriptor_blocks ? EXT4_FEATURE_COMPAT_RESIZE_INODE : 0));
	put_le32(out + 0x060, EXT4_FEATURE_INCOMPAT_FILETYPE | EXT4_FEATURE_INCOMPAT_EXTENTS |
				      EXT4_FEATURE_INCOMPAT_64BIT | EXT4_FEATURE_INCOMPAT_FLEX_BG);
	put_le32(out + 0x064,
		 EXT4_FEATURE_RO_COMPAT_SPARSE_SUPER | EXT4_FEATURE_RO_COMPAT_LARGE_FILE |
			 EXT4_FEATURE_RO_COMPAT_HUGE_FILE | EXT4_FEATURE_RO_COMPAT_DIR_NLINK |
			 EXT4_FEATURE_RO_COMPAT_EXTRA_ISIZE | EXT4_FEATURE_RO_COMPAT_METADATA_CSUM);
}

/* The superblock's times are unsigned words of 32 bits, with 8 more of their own elsewhere. */
static void put_super_time(uint8_t *low, uint8_t *high, int64_t time)
{
	uint64_t seconds = time < 0 ? 0 : (uint64_t)time;

	put_le32(low, (uint32_t)seconds);
	*high = (uint8_t)(seconds >> 32);
}

static void put_super_times(uint8_t *out, int64_t time)
{
	put_super_time(out + 0x030, out + 0x274, time); /* s_wtime */
	put_super_time(out + 0x040, out + 0x277, time); /* s_lastcheck */
	put_super_time(out + 0x108, out + 0x276, time); /* s_mkfs_time */
}

static void put_identity(uint8_t *out, const struct ext4_super *super)
{
	memcpy(out + 0x068, super->uuid, sizeof(super->uuid));
	memcpy(out + 0x078, super->label, sizeof(super->label));
	memcpy(out + 0x0EC, super->hash_seed, sizeof(super->hash_seed));
	out[0x0FC] = EXT4_HASH_HALF_MD4;
	put_le32(out + 0x160, EXT4_FLAGS_SIGNED_HASH);
	out[0x175] = EXT4_CRC32C_CHKSUM;
}

static void put_journal(uint8_t *out, const struct ext4_super *super)
{
	put_le32(out + 0x0E0, EXT4_JOURNAL_INO);
	out[0x0FD] = EXT3_JNL_BACKUP_BLOCKS;
	memcpy(out + 0x10C, super->journal_i_block, EXT4_I_BLOCK_SIZE);
	put_le32(out + 0x10C + EXT4_I_BLOCK_SIZE, (uint32_t)(super->journal_size >> 32));
	put_le32(out + 0x110 + EXT4_I_BLOCK_SIZE, (uint32_t)super->journal_size);
}

void ext4_encode_super(uint8_t out[EXT4_SUPER_SIZE], const struct ext4_super *super)
{
	memset(out, 0, EXT4_SUPER_SIZE);
	put_counts(out, super);
	put_geometry(out, super);
	put_state(out);
	put_features(out, super);
	put_super_times(out, super->time);
	put_identity(out, super);
	put_journal(out, super);
	put_le32(out + 0x3FC, crc32c(UINT32_MAX, out, 0x3FC)); /* s_checksum */
}
