/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing what a layout has planned: inodes, shared xattrs, directory blocks; behind them the table
 * of contents; the seal and the superblock.
 */
#ifndef MKROOTFS_EROFS_METADATA_H
#define MKROOTFS_EROFS_METADATA_H

#include "../io/image_file.h"
#include "content_table.h"
#include "layout.h"
#include "superblock.h"

struct erofs_metadata_options {
	uint32_t blocks_behind; /* of layers that follow this image on the stitched disk */
	uint32_t data_shift;	/* added to the block addresses of the tree's files */
	const uint8_t *uuid;
	const struct content_table *contents; /* of the data area; NULL: there is none */
};

/* Blocks that the table takes behind the metadata. */
uint32_t erofs_metadata_table_blocks(const struct erofs_metadata_options *options);

/*
 * Writes the metadata at its planned place and the superblock last. What the file holds behind the
 * data is dropped; its size becomes that of the image.
 */
int erofs_metadata_write(struct image_file *file, const struct erofs_layout *plan,
			 const struct erofs_metadata_options *options,
			 struct mkrootfs_error *error);

#endif
