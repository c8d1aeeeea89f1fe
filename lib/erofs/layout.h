/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where everything of a tree's metadata goes in an EROFS image: a pure plan, made before a byte is
 * written.
 *
 *	erofs_layout_plan(&plan, tree, first_block, error);
 *	... erofs_metadata_write() follows it ...
 *	erofs_layout_free(&plan);
 *
 * The metadata area: inodes, each with its xattrs, chunk map and inline tail; then the shared
 * xattrs; then, from a block's start, the whole blocks of directories. Inodes stand in the order of
 * a walk that takes a directory, then its files, then its subdirectories: to list a directory and
 * stat its files touches neighbouring blocks.
 */
#ifndef MKROOTFS_EROFS_LAYOUT_H
#define MKROOTFS_EROFS_LAYOUT_H

#include "../tree/tree.h"
#include "dirent.h"
#include "epoch.h"
#include "inode.h"
#include "xattr_table.h"

struct erofs_layout {
	const struct tree *tree;
	struct erofs_xattr_table xattrs;
	uint32_t first_block; /* meta_blkaddr; what is below belongs to the data */
	int64_t epoch;	      /* seconds and nanoseconds that compact inodes share */
	uint32_t epoch_nsec;
	uint32_t *nids;				    /* by inode of the tree, 0: not in the image */
	struct erofs_directory_extent *directories; /* by struct tree_directory */
	uint32_t count;				    /* of inodes */
	bool has_chunks;			    /* some file has holes */
	/* Byte offsets from the start of first_block. */
	uint64_t first_inode;
	uint64_t shared_xattrs;
	uint64_t blocks_start; /* of the directories' whole blocks; a block's start */
	uint64_t end;	       /* of everything; a block's end */
};

/*
 * The tree must be sealed. first_block 0 puts the metadata behind the superblock in the first
 * block. Fails with LIMIT when 32-bit addresses do not suffice.
 */
int erofs_layout_plan(struct erofs_layout *plan, const struct tree *tree, uint32_t first_block,
		      struct mkrootfs_error *error);
void erofs_layout_free(struct erofs_layout *plan);

/* Whether the inode fits the 32-byte form. */
static inline bool erofs_layout_is_compact(const struct erofs_layout *plan,
					   const struct tree_inode *inode)
{
	const struct tree_attributes *attributes = tree_attributes_of(plan->tree, inode);

	return attributes->mtime == plan->epoch && attributes->mtime_nsec == plan->epoch_nsec &&
	       erofs_fits_compact(inode, attributes);
}

/* Bytes of xattrs and chunk map, for an inode that has some. */
uint32_t erofs_layout_extras(const struct erofs_layout *plan, const struct tree_inode *inode);
/* Bytes of the inode with xattrs and chunk map, without an inline tail. */
static inline uint32_t erofs_layout_head(const struct erofs_layout *plan,
					 const struct tree_inode *inode, bool is_compact)
{
	uint32_t size = erofs_inode_size(!is_compact);

	if (tree_attributes_of(plan->tree, inode)->xattrs || (inode->flags & TREE_CHUNKED))
		size += erofs_layout_extras(plan, inode);
	return size;
}

/* Bytes of what the metadata holds for the inode: a directory's entries, a symlink's target. */
static inline uint64_t erofs_layout_content(const struct erofs_layout *plan,
					    const struct tree_inode *inode)
{
	if (S_ISDIR(inode->mode))
		return plan->directories[inode->data].size;
	return S_ISLNK(inode->mode) ? inode->size : 0;
}

/*
 * Whether the part of the content that fills no block stands behind the inode, whose head ends at
 * offset; else it has a block of its own.
 */
static inline bool erofs_layout_is_inline(uint64_t offset, uint64_t content)
{
	uint32_t tail = (uint32_t)content % EROFS_BLOCK_SIZE;

	return tail > 0 && tail <= EROFS_BLOCK_SIZE - (uint32_t)offset % EROFS_BLOCK_SIZE;
}

#endif
