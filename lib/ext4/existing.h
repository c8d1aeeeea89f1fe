/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ext4 filesystem that stands in an image already: read, with all checks, to be changed. Only
 * what this library writes, and what kernels make of it, is understood; the rest is refused.
 *
 *	struct ext4_existing fs;
 *	ext4_existing_open(&fs, &disk, error);
 *	... fs.blocks, fs.groups, ext4_existing_group(&fs, g) ...
 *	ext4_existing_close(&fs);
 */
#ifndef MKROOTFS_EXT4_EXISTING_H
#define MKROOTFS_EXT4_EXISTING_H

#include "disk.h"
#include "layout.h"

struct ext4_existing {
	const struct ext4_disk *disk;
	uint8_t super[EXT4_SUPER_SIZE]; /* the primary one, as it stands */
	uint64_t blocks;
	uint32_t groups;
	uint32_t inodes_per_group;
	uint32_t table_blocks;
	uint32_t flex_log;
	uint32_t seed; /* of the checksums */
	bool resize_inode;
	bool meta_bg;
	/*
	 * Blocks behind each copy of the superblock that have descriptors or are reserved for them:
	 * this never changes. With meta_bg: s_first_meta_bg.
	 */
	uint32_t base_blocks;
	uint32_t reserved_blocks; /* of those */
	uint8_t *descriptors;	  /* of all groups, as on disk */
};

/*
 * Fails with MALFORMED on what is no such filesystem or damaged; UNSUPPORTED, by name, on features
 * that are not understood, on a journal that has to be replayed and on recorded errors, with
 * advice.
 */
int ext4_existing_open(struct ext4_existing *fs, const struct ext4_disk *disk,
		       struct mkrootfs_error *error);
void ext4_existing_close(struct ext4_existing *fs);

/* The descriptor of a group. */
static inline uint8_t *ext4_existing_group(const struct ext4_existing *fs, uint32_t group)
{
	return fs->descriptors + (size_t)group * EXT4_DESC_SIZE;
}

/* Where a block of descriptors is: copy 0 is the one that counts. See ext4_descriptor_groups. */
uint64_t ext4_existing_descriptor_block(const struct ext4_existing *fs, uint32_t index,
					uint32_t group);
/* Superblock, descriptors and reserve at a group's start, blocks. */
uint32_t ext4_existing_head(const struct ext4_existing *fs, uint32_t group);

/* Takes a group's changed block bitmap and the number of blocks that were freed in it. */
void ext4_existing_freed(struct ext4_existing *fs, uint32_t group,
			 const uint8_t bitmap[EXT4_BLOCK_SIZE], uint32_t freed);

/* Sets the checksum of a superblock. */
void ext4_seal_super(uint8_t super[EXT4_SUPER_SIZE]);

#endif
