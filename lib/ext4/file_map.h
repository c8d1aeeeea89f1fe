/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the blocks of one file are: its extents, and behind its data the blocks of the tree over
 * them. It depends on the layout, the file and the block to start at, on nothing else.
 *
 *	struct ext4_file_map map = { .layout = &layout };
 *
 *	ext4_file_map(&map, tree, inode, directory_blocks, &next, error);
 *	ext4_file_map_free(&map);
 */
#ifndef MKROOTFS_EXT4_FILE_MAP_H
#define MKROOTFS_EXT4_FILE_MAP_H

#include "../tree/tree.h"
#include "layout.h"

struct ext4_file_map {
	const struct ext4_layout *layout;
	struct ext4_extent *extents;
	size_t count, room;
	uint64_t blocks; /* of data */
	bool full;	 /* there was no room for all */
	uint64_t *tree;	 /* where the blocks of the extent tree are */
	size_t tree_count, tree_room;
};

/* A range of a file's blocks with data that stand in a row; count 0: the end. */
struct ext4_piece {
	uint32_t logical;
	uint32_t count;
	uint64_t address; /* block, in the tree's terms; not of symlinks */
};
/* The first one at or behind the block `from` of a regular file. */
struct ext4_piece ext4_next_piece(const struct tree *tree, const struct tree_inode *inode,
				  uint32_t from);

/*
 * Maps a file, symlink or directory from *next on, which moves behind it; what has no blocks gets
 * none. directory_blocks is for directories.
 */
int ext4_file_map(struct ext4_file_map *map, const struct tree *tree,
		  const struct tree_inode *inode, uint32_t directory_blocks, uint64_t *next,
		  struct mkrootfs_error *error);
void ext4_file_map_free(struct ext4_file_map *map);

#endif
