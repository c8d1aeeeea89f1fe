/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree over a file's extents: four fit the inode, more are in blocks of their own.
 *
 *	count = ext4_extent_tree_blocks(extent_count);
 *	... find room for count blocks at places[0..count) ...
 *	ext4_encode_extent_tree(i_block, blocks, places, extents, extent_count, inode_seed);
 */
#ifndef MKROOTFS_EXT4_EXTENT_TREE_H
#define MKROOTFS_EXT4_EXTENT_TREE_H

#include "layout.h"

#include <stddef.h>

/* Blocks beside the inode. */
size_t ext4_extent_tree_blocks(size_t extents);
/*
 * blocks: room for so many, in the order of places, where they will be. seed: ext4_inode_seed of
 * the inode.
 */
void ext4_encode_extent_tree(uint8_t i_block[EXT4_I_BLOCK_SIZE], uint8_t *blocks,
			     const uint64_t *places, const struct ext4_extent *extents,
			     size_t count, uint32_t seed);

#endif
