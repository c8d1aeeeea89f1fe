/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The merge: layer trees, lowest first, to the tree that a stack of them shows. Pure, in time
 * linear in the number of entries.
 *
 *	overlay_base(merged, error);		the lowest layer's own tree
 *	for each other layer: overlay_apply(merged, layer, &options, error);
 *	tree_seal(merged, error);
 *
 * Or from an empty tree, with overlay_apply for each layer.
 */
#ifndef MKROOTFS_TREE_OVERLAY_H
#define MKROOTFS_TREE_OVERLAY_H

#include "tree.h"

struct overlay_options {
	uint64_t first_block; /* added to the block addresses of the layer's files */
	void (*warn)(void *user, const char *text); /* may be NULL */
	void *user;
};

/*
 * Makes the tree of the lowest layer what a stack of it alone shows, in place: the largest layer of
 * an image mostly, and never two of its tree in memory. Its files' blocks keep their addresses.
 */
int overlay_base(struct tree *layer, struct mkrootfs_error *error);
/*
 * Stacks a layer on merged, sealed or with its names in order and nothing removed. Whiteouts and
 * opaque marks act on what is in merged and are not kept; TREE_LINK names get the inode of their
 * target there. After a failure merged is only good for tree_free.
 */
int overlay_apply(struct tree *merged, const struct tree *layer,
		  const struct overlay_options *options, struct mkrootfs_error *error);

#endif
