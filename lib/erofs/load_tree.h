/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loading a tree under the eyes of somebody who wants to know more than the tree holds, and to go
 * on behind what cannot be read.
 *
 *	erofs_load_tree(&tree, reader, max_nodes, &watch, error);
 *	... compare nlink of the inodes, which are still those of the image ...
 *	tree_seal(tree, error);
 */
#ifndef MKROOTFS_EROFS_LOAD_TREE_H
#define MKROOTFS_EROFS_LOAD_TREE_H

#include "read_inode.h"

#define EROFS_NO_NID UINT64_MAX

/* All functions return 0 to go on. MALFORMED from inode and directory goes to problem. */
struct erofs_watch {
	void *user;
	/*
	 * What has that name in a directory is left out, for error's reason; without a name, the
	 * rest of the directory. directory is 0 for the root itself.
	 */
	int (*problem)(void *user, const struct tree *tree, uint32_t directory, const uint8_t *name,
		       size_t len, struct mkrootfs_error *error);
	/* A new inode of the tree. */
	int (*inode)(void *user, const struct tree *tree, uint32_t id, uint64_t nid,
		     const struct erofs_placed_inode *inode, struct mkrootfs_error *error);
	/* A directory was read; what its "." and ".." point to, EROFS_NO_NID: it has none. */
	int (*directory)(void *user, const struct tree *tree, uint32_t node, uint64_t dot,
			 uint64_t dot_dot, struct mkrootfs_error *error);
};

/*
 * The tree is not sealed: its names are in order, but nlink is what the image says. watch NULL: the
 * first problem is an error.
 */
int erofs_load_tree(struct tree **out, struct erofs_reader *reader, uint32_t max_nodes,
		    const struct erofs_watch *watch, struct mkrootfs_error *error);
/* The same into an empty tree, of tree_create or tree_reset; after a failure good for tree_free. */
int erofs_fill_tree(struct tree *tree, struct erofs_reader *reader, uint32_t max_nodes,
		    const struct erofs_watch *watch, struct mkrootfs_error *error);

#endif
