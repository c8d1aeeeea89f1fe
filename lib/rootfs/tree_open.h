/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An open root filesystem, read-only: the object behind struct mkrootfs_tree.
 *
 *	tree_open(&tree, "disk.vmdk", error);
 *	... erofs_read_tree(), erofs_reader_read() of tree->reader ...
 *	tree_close(tree);
 *
 * The tree is not loaded: what is asked for is looked up in the image.
 */
#ifndef MKROOTFS_ROOTFS_TREE_OPEN_H
#define MKROOTFS_ROOTFS_TREE_OPEN_H

#include "../erofs/reader.h"

struct mkrootfs_tree {
	struct erofs_reader *reader;
	/* Metadata of a disk whose file data are not here: reads of them would pass the end. */
	bool metadata_only;
};

/*
 * Opens the filesystem that path holds: an EROFS image (a layer's, a raw disk, an fsmeta), a VMDK
 * descriptor with its files beside it, or an image folder. An fsmeta that is the first file of the
 * disk.vmdk beside it is that disk.
 */
int tree_open(struct mkrootfs_tree **out, const char *path, struct mkrootfs_error *error);
/* The disk of an image of a store. */
int tree_open_image(struct mkrootfs_tree **out, const struct mkrootfs_image *image,
		    struct mkrootfs_error *error);
void tree_close(struct mkrootfs_tree *tree);

#endif
