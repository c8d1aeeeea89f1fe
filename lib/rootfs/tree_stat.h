/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of what an open root filesystem has at a path. */
#ifndef MKROOTFS_ROOTFS_TREE_STAT_H
#define MKROOTFS_ROOTFS_TREE_STAT_H

#include "tree_resolve.h"

int tree_stat(struct mkrootfs_stat *stat, const struct mkrootfs_tree *tree, const char *path,
	      bool follow, struct mkrootfs_error *error);
/* target takes MKROOTFS_LINK_SIZE bytes. INVALID when path is no symbolic link. */
int tree_readlink(char *target, const struct mkrootfs_tree *tree, const char *path,
		  struct mkrootfs_error *error);
/* In the order of the names. */
int tree_xattrs(const struct mkrootfs_tree *tree, const char *path, bool follow,
		mkrootfs_xattr_fn fn, void *user, struct mkrootfs_error *error);

/* The attributes of an inode that was found. */
int tree_stat_of(struct mkrootfs_stat *stat, const struct mkrootfs_tree *tree,
		 const struct tree_found *found, struct mkrootfs_error *error);
/* The target of a symbolic link that was found, with a NUL. */
int tree_target_of(char *target, const struct mkrootfs_tree *tree, const struct tree_found *found,
		   struct mkrootfs_error *error);

#endif
