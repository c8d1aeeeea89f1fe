/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the tree writer, for its own files: what is known of the whole image, and who writes
 * which of it. map is that of the item that was mapped last.
 *
 *	ext4_write_names(&w, error);	directories, long symlinks, blocks of xattrs
 *	ext4_write_inodes(&w, error);	all inodes, with their extent trees
 */
#ifndef MKROOTFS_EXT4_TREE_PARTS_H
#define MKROOTFS_EXT4_TREE_PARTS_H

#include "frame.h"
#include "tree_plan.h"

#define EXT4_TABLE_BLOCKS 16u /* of inodes that are written at once, at most */

struct ext4_tree_writer {
	struct ext4_plan *plan;
	struct ext4_layout layout;
	struct ext4_options options;
	struct ext4_frame frame;
	const struct ext4_contents *contents;
	struct ext4_file_map map; /* of the item in work */
	struct ext4_xattrs *xattrs;
	uint32_t *directories; /* of each group */
	uint8_t *tree_blocks;  /* of the extent tree in work */
	size_t tree_room;      /* blocks */
	uint8_t *table;	       /* inodes that were not written yet */
	uint32_t table_first;  /* number of the first one, less one */
};

int ext4_write_block(struct ext4_tree_writer *w, uint64_t number, const uint8_t *block,
		     struct mkrootfs_error *error);
/* Fills w->map. */
int ext4_map_item(struct ext4_tree_writer *w, uint32_t item, struct mkrootfs_error *error);

int ext4_write_names(struct ext4_tree_writer *w, struct mkrootfs_error *error);
int ext4_write_inodes(struct ext4_tree_writer *w, struct mkrootfs_error *error);
/* The inode of an item of the plan; its extent tree's blocks are written. */
int ext4_encode_item(struct ext4_tree_writer *w, uint8_t out[EXT4_INODE_SIZE], uint32_t item,
		     struct mkrootfs_error *error);

#endif
