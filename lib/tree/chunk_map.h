/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the chunks of a file with holes are: the data of an inode flagged TREE_CHUNKED. All chunks
 * have the same size, a power of two of blocks; the last may be cut short by the file's end.
 */
#ifndef MKROOTFS_TREE_CHUNK_MAP_H
#define MKROOTFS_TREE_CHUNK_MAP_H

#include "tree.h"

#define CHUNK_HOLE UINT32_MAX /* EROFS_NULL_ADDR */
#define CHUNK_MAP_MAX 65536u  /* chunks of one file */

struct chunk_map {
	uint32_t block_bits; /* log2 of the chunk's size in blocks */
	uint32_t count;
	uint32_t address[]; /* first block, or CHUNK_HOLE */
};

/* A map of count holes in the tree's arena; *reference is for tree_inode.data. */
int chunk_map_new(struct tree *tree, uint32_t *reference, uint32_t block_bits, uint32_t count,
		  struct mkrootfs_error *error);
struct chunk_map *chunk_map_of(const struct tree *tree, const struct tree_inode *inode);

#endif
