/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the merge share while one layer is stacked; see overlay.h. */
#ifndef MKROOTFS_TREE_OVERLAY_STATE_H
#define MKROOTFS_TREE_OVERLAY_STATE_H

#include "overlay.h"

struct overlay {
	struct tree *merged;
	const struct tree *layer;
	const struct overlay_options *options;
	uint32_t *twins;      /* layer node -> node in merged, for directories */
	uint32_t *inodes;     /* layer inode -> inode in merged, 0: not copied yet */
	uint32_t *sets;	      /* layer xattr set -> set in merged, 0: not copied yet */
	uint32_t *attributes; /* numbers of the layer's -> of merged's, 0: not copied yet */
	uint32_t *behind;     /* layer node -> inode in merged, see overlay_look_behind */
};

/* The number in the merged tree of the attributes of an inode of the layer. */
int overlay_map_attributes(struct overlay *o, uint32_t *number, const struct tree_inode *inode,
			   struct mkrootfs_error *error);
/* The merged inode of a layer's inode, copied at its first use. */
int overlay_map_inode(struct overlay *o, uint32_t *id, uint32_t layer_id,
		      struct mkrootfs_error *error);

/*
 * Gives each TREE_LINK of the layer the inode of its target. Before anything changes: targets are
 * looked up in the layers below.
 */
int overlay_resolve_links(struct overlay *o, struct mkrootfs_error *error);
/*
 * Where a lower layer has a link to a directory and this layer only used the link's name in a path:
 * the new directory takes the attributes of the one that the link led to. They are looked up before
 * this layer changes anything. An opaque directory has no links of lower layers in it.
 */
int overlay_look_behind(struct overlay *o, struct mkrootfs_error *error);

#endif
