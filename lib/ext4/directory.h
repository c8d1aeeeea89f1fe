/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocks of a directory: one block with its names in their order, or, where one is too small,
 * blocks sorted by hash behind an index.
 *
 *	struct ext4_directory d = { .self = 12, .parent = 2 };
 *
 *	ext4_directory_add(&d, inode, EXT4_FT_DIR, "etc", 3, error);
 *	ext4_directory_plan(&d, hash_seed, error);	d.blocks is the number of blocks
 *	for (i = 0; i < d.blocks; i++)
 *		ext4_encode_directory(out, &d, i, seed);
 *	ext4_directory_clear(&d);			for the next one
 *	ext4_directory_free(&d);
 *
 * Names are borrowed. The index's blocks come first, the root at 0, then the leaves. These are
 * filled to four fifths, so that names which a guest adds find room.
 */
#ifndef MKROOTFS_EXT4_DIRECTORY_H
#define MKROOTFS_EXT4_DIRECTORY_H

#include "../base/error.h"
#include "format.h"
#include "name_hash.h"

struct ext4_dirent {
	uint32_t inode;
	uint8_t type; /* EXT4_FT_* */
	uint8_t name_len;
	const char *name;
	struct ext4_name_hash hash; /* once sorted by it */
};

struct ext4_directory {
	uint32_t self, parent; /* inodes */
	struct ext4_dirent *entries;
	size_t count, room;
	uint32_t *leaves; /* the first entry of each */
	uint32_t leaf_count;
	size_t leaf_room;
	uint32_t nodes;	 /* blocks of the index between root and leaves */
	uint32_t blocks; /* 1: no index */
};

int ext4_directory_add(struct ext4_directory *directory, uint32_t inode, uint8_t type,
		       const char *name, size_t len, struct mkrootfs_error *error);
int ext4_directory_plan(struct ext4_directory *directory, const uint8_t hash_seed[16],
			struct mkrootfs_error *error);
void ext4_encode_directory(uint8_t out[EXT4_BLOCK_SIZE], const struct ext4_directory *directory,
			   uint32_t block, uint32_t seed);
void ext4_directory_clear(struct ext4_directory *directory);
void ext4_directory_free(struct ext4_directory *directory);

#endif
