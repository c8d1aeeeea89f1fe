/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer's tar entries, in their order, as a tree: the rules of unpacking one layer into an empty
 * folder, by the OCI image-spec's layer chapter.
 *
 *	layer_tree_create(&l, max_depth, error);
 *	layer_tree_add(l, "usr/bin/x", &inode, error);
 *	layer_tree_link(l, "usr/bin/y", "usr/bin/x", &inode, error);
 *	layer_tree_finish(l, error);		then l->tree is complete
 *	layer_tree_free(l);
 *
 * Paths are normal (base/path.h). Symbolic links that the same layer made are followed in the
 * leading components of a path, inside the layer's root. Whiteouts are names like any other
 * (".wh.x", ".wh..wh..opq"): layer_tree_add knows them.
 */
#ifndef MKROOTFS_TREE_LAYER_TREE_H
#define MKROOTFS_TREE_LAYER_TREE_H

#include "../base/path.h"
#include "deletions.h"
#include "last_folder.h"
#include "layer_links.h"
#include "tree.h"

struct layer_tree {
	struct tree *tree;
	uint32_t max_depth;
	struct last_folder last; /* of the ordinary entries; no part of its path is a whiteout */
	struct layer_links links;
	struct deletions deletions;
};

int layer_tree_create(struct layer_tree **out, uint32_t max_depth, struct mkrootfs_error *error);
/* Frees the tree too; set l->tree to NULL to keep it. */
void layer_tree_free(struct layer_tree *layer);

/*
 * Adds a file, directory, symlink, device or fifo; for the empty path sets the root's attributes.
 * A later entry replaces an earlier one of the same name; a directory keeps its children.
 */
int layer_tree_add(struct layer_tree *layer, const char *path, const struct tree_inode *inode,
		   struct mkrootfs_error *error);
/*
 * Adds a hard link. Of the entries that name a file, links included, the last of the archive sets
 * mode, owner and times; data and xattrs are the target's. A target that the layer has not is kept
 * as a TREE_LINK for the merge.
 */
int layer_tree_link(struct layer_tree *layer, const char *path, const char *target,
		    const struct tree_inode *inode, struct mkrootfs_error *error);
/* Resolves links whose target came later, applies whiteouts, and seals the tree. */
int layer_tree_finish(struct layer_tree *layer, struct mkrootfs_error *error);

#endif
