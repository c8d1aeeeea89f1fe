/* SPDX-License-Identifier: Apache-2.0 */
/* Writing what a layout has planned: inodes, shared xattrs, directory blocks, superblock. */
#ifndef MKROOTFS_EROFS_METADATA_H
#define MKROOTFS_EROFS_METADATA_H

#include "../io/image_file.h"
#include "layout.h"
#include "superblock.h"

struct erofs_metadata_options {
	uint32_t blocks_behind; /* of layers that follow this image on the stitched disk */
	uint32_t data_shift;	/* added to the block addresses of the tree's files */
	const uint8_t *uuid;
};

/*
 * Writes the metadata at its planned place and the superblock last. What the file holds behind the
 * data is dropped; its size becomes that of the image.
 */
int erofs_metadata_write(struct image_file *file, const struct erofs_layout *plan,
			 const struct erofs_metadata_options *options,
			 struct mkrootfs_error *error);

#endif
