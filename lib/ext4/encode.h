/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ext4's records from host order to little-endian bytes, each with its checksum. Every function
 * fills the whole of out, unused fields with zeros.
 *
 * seed is ext4_checksum_seed(uuid), which all checksums but the superblock's start from.
 */
#ifndef MKROOTFS_EXT4_ENCODE_H
#define MKROOTFS_EXT4_ENCODE_H

#include "layout.h"

#include <stddef.h>

uint32_t ext4_checksum_seed(const uint8_t uuid[16]);
/* What an inode and its own blocks start from: its number, then i_generation, here 0. */
uint32_t ext4_inode_seed(uint32_t seed, uint32_t number);

struct ext4_super {
	uint64_t blocks;
	uint64_t free_blocks;
	uint64_t root_blocks; /* that only root may fill */
	uint32_t inodes;
	uint32_t free_inodes;
	uint32_t inodes_per_group;
	uint32_t flex_log;
	uint32_t reserved_descriptor_blocks; /* non-zero: with the resize inode */
	uint64_t overhead;		     /* blocks */
	uint8_t uuid[16];
	char label[EXT4_LABEL_MAX]; /* zero-padded */
	uint8_t hash_seed[16];
	int64_t time;
	uint8_t journal_i_block[EXT4_I_BLOCK_SIZE]; /* a copy of the journal inode's */
	uint64_t journal_size;			    /* bytes */
	uint32_t group; /* the one that this copy is in; 0: the primary */
};
void ext4_encode_super(uint8_t out[EXT4_SUPER_SIZE], const struct ext4_super *super);

void ext4_encode_group(uint8_t out[EXT4_DESC_SIZE], const struct ext4_group *desc, uint32_t seed,
		       uint32_t group);

/* i_block of a file whose extents all fit into its inode. */
void ext4_encode_extents(uint8_t out[EXT4_I_BLOCK_SIZE], const struct ext4_extent *extents,
			 uint32_t count);

struct ext4_inode {
	uint16_t mode; /* with the type */
	uint16_t links;
	uint32_t uid;
	uint32_t gid;
	uint64_t size; /* bytes */
	int64_t time;  /* of access, change, modification and creation */
	uint32_t time_nsec;
	uint32_t flags;		/* EXT4_*_FL; without i_block EXT4_EXTENTS_FL is set in any case */
	uint64_t blocks;	/* with those of the extent tree and of xattrs */
	const uint8_t *i_block; /* EXT4_I_BLOCK_SIZE bytes; NULL: these extents */
	const struct ext4_extent *extents;
	uint32_t extent_count;	   /* at most EXT4_INLINE_EXTENTS */
	uint64_t xattr_block;	   /* 0: none */
	const uint8_t *xattr_body; /* EXT4_XATTR_BODY_SIZE bytes, or NULL */
};
void ext4_encode_inode(uint8_t out[EXT4_INODE_SIZE], const struct ext4_inode *inode, uint32_t seed,
		       uint32_t number);

/* Checksums of the bitmaps, for the group descriptor. */
uint32_t ext4_block_bitmap_checksum(const uint8_t bitmap[EXT4_BLOCK_SIZE], uint32_t seed);
uint32_t ext4_inode_bitmap_checksum(const uint8_t bitmap[EXT4_BLOCK_SIZE], uint32_t seed,
				    uint32_t inodes_per_group);

#endif
