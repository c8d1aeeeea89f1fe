/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths of an open root filesystem, as a process would resolve them whose root it is: symbolic
 * links count from there, and ".." of the root is the root.
 *
 *	tree_resolve(&inode, tree, "/usr/bin/python", true, error);
 */
#ifndef MKROOTFS_ROOTFS_TREE_RESOLVE_H
#define MKROOTFS_ROOTFS_TREE_RESOLVE_H

#include "../erofs/read_inode.h"
#include "tree_open.h"

#define TREE_RESOLVE_LINKS_MAX 40u	 /* symbolic links on the way, as in Linux */
#define TREE_RESOLVE_PATH_MAX (1u << 20) /* bytes of a path with its links' targets in it */

struct tree_found {
	uint64_t nid;
	struct erofs_placed_inode inode;
};

/*
 * follow: a symbolic link at the path's end is followed too; one with a slash behind it always is.
 * NOT_FOUND when there is no such name, LIMIT after too many links. Messages name the path.
 */
int tree_resolve(struct tree_found *found, const struct mkrootfs_tree *tree, const char *path,
		 bool follow, struct mkrootfs_error *error);

#endif
