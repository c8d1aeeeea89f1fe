/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller may choose about an ext4 image. */
#ifndef MKROOTFS_EXT4_OPTIONS_H
#define MKROOTFS_EXT4_OPTIONS_H

#include <stdint.h>

#define EXT4_MIN_SIZE (UINT64_C(8) << 20)
/*
 * Largest size: twice what 32-bit block numbers reach. The copies of the group descriptors, which
 * are kept up to date in each of about 25 groups, would outgrow their use long before the format's
 * own limits.
 */
#define EXT4_MAX_SIZE (UINT64_C(32) << 40)

#define EXT4_DEFAULT_INODE_RATIO 16384
#define EXT4_MIN_INODE_RATIO 4096 /* one inode a block; a group's inode bitmap has no more bits */
#define EXT4_MAX_INODE_RATIO (UINT64_C(64) << 20)

#define EXT4_MIN_JOURNAL_SIZE (UINT64_C(4) << 20)
#define EXT4_MAX_JOURNAL_SIZE (UINT64_C(256) << 20)

/* The resize inode has block numbers of 32 bits. */
#define EXT4_MAX_RESERVED_SIZE (UINT64_C(16) << 40)

#define EXT4_MAX_ROOT_PPM 500000 /* half of all blocks, as in mke2fs */

struct ext4_options {
	uint64_t size;	  /* bytes, rounded down to whole 4 KiB blocks: the file's size */
	uint8_t uuid[16]; /* not all zeros; seeds all checksums and directory hashes */
	char label[17];	  /* NUL-terminated; empty for none */
	int64_t time; /* seconds since 1970, for all times in it; e2fsck warns of a future one */
	uint64_t inode_ratio;  /* bytes of filesystem for each inode; 0: 16384 */
	uint32_t least_inodes; /* at least so many, whatever the ratio says */
	uint64_t journal_size; /* bytes, rounded down to whole blocks; 0: by the size */
	/*
	 * Bytes up to which a mounted filesystem can grow with its descriptors in one piece: blocks
	 * are kept for them. 0: none are; it still grows, by meta_bg.
	 */
	uint64_t max_size;
	uint32_t root_ppm; /* millionths of the blocks that only root may fill */
};

#endif
