/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of a directory of an open root filesystem. */
#ifndef MKROOTFS_ROOTFS_TREE_LIST_H
#define MKROOTFS_ROOTFS_TREE_LIST_H

#include "tree_open.h"

/* See mkrootfs_tree_list. */
int tree_list(const struct mkrootfs_tree *tree, const char *path, mkrootfs_entry_fn fn, void *user,
	      struct mkrootfs_error *error);

#endif
