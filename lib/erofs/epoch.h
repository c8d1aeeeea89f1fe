/* SPDX-License-Identifier: Apache-2.0 */
/* The time that an image's compact inodes share. */
#ifndef MKROOTFS_EROFS_EPOCH_H
#define MKROOTFS_EROFS_EPOCH_H

#include "../tree/tree.h"

/* Whether owner, links and size fit the compact inode, whatever its time. */
static inline bool erofs_fits_compact(const struct tree_inode *inode,
				      const struct tree_attributes *attributes)
{
	return (attributes->uid | attributes->gid | inode->nlink) <= UINT16_MAX &&
	       inode->size <= UINT32_MAX;
}

/*
 * The most frequent time of the inodes that fit the compact form: of the first few thousand
 * distinct times, so that memory is bounded; among equals the one that comes first in the tree.
 */
int erofs_choose_epoch(int64_t *seconds, uint32_t *nanoseconds, const struct tree *tree,
		       struct mkrootfs_error *error);

#endif
