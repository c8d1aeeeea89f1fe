/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hard links of a layer whose target it does not have, or not yet: such a name has a TREE_LINK
 * inode that waits. A target that never comes is one of a lower layer.
 *
 *	struct layer_links l = { 0 };
 *	layer_links_find(&l, tree, &inode, target, error);	0: the layer has nothing to link to
 *	layer_links_stand_in(tree, &inode, target, &link, error);	then this takes its place
 *	layer_links_add(&l, node, error);			and the name waits
 *	layer_links_resolve(&l, tree, error);			once, behind the last entry
 *	layer_links_free(&l);
 */
#ifndef MKROOTFS_TREE_LAYER_LINKS_H
#define MKROOTFS_TREE_LAYER_LINKS_H

#include "tree.h"

struct layer_links {
	uint32_t *nodes; /* names that wait, in the archive's order */
	uint32_t count;
	size_t room;
};

/* The inode that a link to target shares: one that waits itself when the target does. */
int layer_links_find(const struct layer_links *links, struct tree *tree, uint32_t *inode,
		     const char *target, struct mkrootfs_error *error);
/* Makes a TREE_LINK with the mode, owner and time of link. */
int layer_links_stand_in(struct tree *tree, uint32_t *inode, const char *target,
			 const struct tree_inode *link, struct mkrootfs_error *error);
int layer_links_add(struct layer_links *links, uint32_t node, struct mkrootfs_error *error);
/* Gives the names that wait the inodes of targets that came later. */
int layer_links_resolve(const struct layer_links *links, struct tree *tree,
			struct mkrootfs_error *error);
void layer_links_free(struct layer_links *links);

#endif
