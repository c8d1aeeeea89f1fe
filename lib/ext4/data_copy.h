/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of files, one after the other, copied in runs as long as source and destination both go
 * on.
 *
 *	struct ext4_data_copy copy = { .file = file, .contents = &contents };
 *
 *	ext4_data_copy_file(&copy, tree, inode, extents, error);	for each file
 *	ext4_data_copy_finish(&copy, error);
 */
#ifndef MKROOTFS_EXT4_DATA_COPY_H
#define MKROOTFS_EXT4_DATA_COPY_H

#include "file_map.h"
#include "tree_writer.h"

struct ext4_data_copy {
	struct image_file *file;
	const struct ext4_contents *contents;
	/* The run that was not copied yet, bytes. */
	uint64_t address, offset, len;
	uint64_t done; /* bytes that were copied */
};

int ext4_data_copy_file(struct ext4_data_copy *copy, const struct tree *tree,
			const struct tree_inode *inode, const struct ext4_file_map *map,
			struct mkrootfs_error *error);
int ext4_data_copy_finish(struct ext4_data_copy *copy, struct mkrootfs_error *error);

#endif
