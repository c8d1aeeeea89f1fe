/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directory blocks. A directory is a sequence of blocks, each with its own entries: an array of
 * dirents from the front, their names behind it. Names ascend over the whole sequence, "." and ".."
 * among them; a block is closed when the next dirent and name do not fit.
 */
#ifndef MKROOTFS_EROFS_DIRENT_H
#define MKROOTFS_EROFS_DIRENT_H

#include "../tree/tree.h"
#include "format.h"

/* Bytes of a directory of a sealed tree: what its inode's size says. */
uint64_t erofs_directory_size(const struct tree *tree, uint32_t node);

/* Takes finished directory blocks, and at last the part of the last block that is in use. */
typedef int (*erofs_block_fn)(void *user, const uint8_t *block, size_t len,
			      struct mkrootfs_error *error);
enum erofs_directory_part {
	EROFS_DIRECTORY_BLOCKS = 1, /* blocks that are full */
	EROFS_DIRECTORY_TAIL = 2,   /* what the last block has in use, when that is not all of it */
	EROFS_DIRECTORY_WHOLE = EROFS_DIRECTORY_BLOCKS | EROFS_DIRECTORY_TAIL,
};

/* Emits the parts that are asked for. nids by inode of the tree. */
int erofs_directory_encode(const struct tree *tree, uint32_t node, const uint32_t *nids,
			   unsigned parts, erofs_block_fn emit, void *user,
			   struct mkrootfs_error *error);

/* file_type for a mode. */
uint8_t erofs_file_type(uint16_t mode);

#endif
