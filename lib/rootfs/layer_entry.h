/* SPDX-License-Identifier: Apache-2.0 */
/* From a tar entry to the tree: types, attributes, and which xattrs an image may bring along. */
#ifndef MKROOTFS_ROOTFS_LAYER_ENTRY_H
#define MKROOTFS_ROOTFS_LAYER_ENTRY_H

#include "../tar/entry.h"
#include "../tree/layer_tree.h"
#include "entry_path.h"

/* Extended attributes that EROFS cannot hold; told once, at the end of the layer. */
struct dropped_xattrs {
	uint64_t count;
	char name[256]; /* of the first one, and its entry */
	char path[256];
};

struct layer_entry {
	struct layer_tree *layer;
	struct entry_path path;
	struct buf link; /* normal form of a hard link's target; scratch */
	struct xattr_entry *xattrs;
	size_t xattr_room;
	struct dropped_xattrs dropped;
};

/* The entry's attributes as an inode without data; its xattrs are added to the tree's pool. */
int layer_entry_inode(struct layer_entry *work, struct tree_inode *inode,
		      const struct tar_entry *entry, struct mkrootfs_error *error);
/* Puts the inode, its data filled in, into the layer's tree, under the entry's name. */
int layer_entry_put(struct layer_entry *work, const struct tar_entry *entry,
		    struct tree_inode *inode, struct mkrootfs_error *error);
void layer_entry_free(struct layer_entry *work);

#endif
