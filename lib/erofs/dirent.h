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

/* Where the entries of a directory go on: behind how many of "." and "..", at which child. */
struct erofs_directory_place {
	uint32_t dots;
	uint32_t child; /* 0: none is left */
};

struct erofs_directory_extent {
	uint64_t size;			   /* bytes, what the inode says */
	struct erofs_directory_place last; /* the first entry of the last block */
};

/* Of a directory of a sealed tree. */
struct erofs_directory_extent erofs_directory_measure(const struct tree *tree, uint32_t node);

/* Takes finished directory blocks, and at last the part of the last block that is in use. */
typedef int (*erofs_block_fn)(void *user, const uint8_t *block, size_t len,
			      struct mkrootfs_error *error);
enum erofs_directory_part {
	EROFS_DIRECTORY_WHOLE,
	EROFS_DIRECTORY_LAST, /* the last block alone, as far as it is in use */
	EROFS_DIRECTORY_REST, /* the others */
};

/* Emits a part of a directory that was measured. nids by inode of the tree. */
int erofs_directory_encode(const struct tree *tree, uint32_t node, const uint32_t *nids,
			   const struct erofs_directory_extent *extent,
			   enum erofs_directory_part part, erofs_block_fn emit, void *user,
			   struct mkrootfs_error *error);

/* file_type for a mode. */
uint8_t erofs_file_type(uint16_t mode);

#endif
