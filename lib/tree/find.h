/* SPDX-License-Identifier: Apache-2.0 */
/* Paths in a tree: looking them up, and making the folders that they go through. */
#ifndef MKROOTFS_TREE_FIND_H
#define MKROOTFS_TREE_FIND_H

#include "../base/path.h"
#include "tree.h"

enum tree_find_flags { TREE_FOLLOW_LAST = 1 };

/*
 * The node at path, 0 when there is none. Symbolic links in leading components are followed inside
 * the root, in the last one only when asked. The path need not be normal.
 */
int tree_find(const struct tree *tree, uint32_t *node, const char *path, unsigned flags,
	      struct mkrootfs_error *error);

enum tree_make_flags { TREE_ONLY_DIRECTORIES = 1 };

/*
 * The directory that holds the last component of a normal path, made with all missing ones on the
 * way; *name and *len lend that component. Paths of more than max_depth components fail.
 *
 * Symbolic links are followed; what is neither a directory nor a link gives way to an implied
 * directory. With TREE_ONLY_DIRECTORIES neither is done: *directory is then 0.
 */
int tree_make_parent(struct tree *tree, uint32_t *directory, const char **name, size_t *len,
		     const char *path, uint32_t max_depth, unsigned flags,
		     struct mkrootfs_error *error);

/*
 * The directory under that name, made when there is none: implied, or, where a whiteout stood, a
 * fresh one that hides the lower layers' (opaque).
 */
int tree_make_directory(struct tree *tree, uint32_t *node, uint32_t parent, const char *name,
			size_t len, struct mkrootfs_error *error);

#endif
