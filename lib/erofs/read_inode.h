/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding one inode with all that belongs to it. */
#ifndef MKROOTFS_EROFS_READ_INODE_H
#define MKROOTFS_EROFS_READ_INODE_H

#include "inode.h"
#include "reader.h"

#include <limits.h>

/* An inode in its place. */
struct erofs_placed_inode {
	struct erofs_inode head;
	uint64_t xattrs; /* byte of the image where the xattr body starts */
	uint64_t behind; /* byte behind it: of a chunk map or an inline tail */
};

int erofs_read_head(struct erofs_placed_inode *inode, struct erofs_reader *reader, uint64_t nid,
		    struct mkrootfs_error *error);
/* Whether blocks can hold data: inside of what the superblock says, and not the first one. */
int erofs_check_blocks(const struct erofs_reader *reader, uint64_t first, uint64_t count,
		       struct mkrootfs_error *error);
/* As the kernel wants it, an inline tail ends in the block in which it starts. */
int erofs_check_tail(const struct erofs_placed_inode *inode, struct mkrootfs_error *error);
/* Bytes of what the metadata holds of the inode: a directory's blocks, a symlink's target. */
int erofs_read_content(const struct erofs_placed_inode *inode, struct erofs_reader *reader,
		       uint64_t offset, void *out, size_t len, struct mkrootfs_error *error);
/* The time of modification: compact inodes share the superblock's. */
int erofs_read_mtime(int64_t *seconds, uint32_t *nanoseconds,
		     const struct erofs_placed_inode *inode, const struct erofs_reader *reader,
		     struct mkrootfs_error *error);
/* A symbolic link's target without a NUL: size bytes, 1 to PATH_MAX - 1. */
int erofs_read_target(char target[PATH_MAX], const struct erofs_placed_inode *inode,
		      struct erofs_reader *reader, struct mkrootfs_error *error);
/* The inode as a new one of the tree, with xattrs and data; a directory without its entries. */
int erofs_read_inode(struct tree *tree, uint32_t *id, const struct erofs_placed_inode *inode,
		     struct erofs_reader *reader, struct mkrootfs_error *error);

#endif
