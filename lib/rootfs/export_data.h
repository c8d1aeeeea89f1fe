/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of an image's files, copied to a tar. They are asked for in the order of their
 * addresses, so what stands behind a file is read along with it.
 *
 *	export_data_init(&data, tree, extents, error);
 *	export_data_ranges(&data, inode, error);	data.ranges[0..count), where they stand
 *	export_data_copy(&data, writer, inode, error);	behind the entry's headers
 *	export_data_free(&data);
 */
#ifndef MKROOTFS_ROOTFS_EXPORT_DATA_H
#define MKROOTFS_ROOTFS_EXPORT_DATA_H

#include "../io/extents.h"
#include "../tar/writer.h"
#include "../tree/tree.h"
#include "events.h"

struct export_data {
	const struct tree *tree;
	const struct extents *image;
	struct events *events;
	uint64_t done; /* bytes that were copied */
	uint8_t *window;
	uint64_t window_start; /* byte of the image */
	size_t window_len;
	/* Of the file with holes in work; room is for both. */
	struct tar_range *ranges;
	uint64_t *addresses; /* bytes of the image */
	size_t count, room;
};

int export_data_init(struct export_data *data, const struct tree *tree, const struct extents *image,
		     struct events *events, struct mkrootfs_error *error);
void export_data_free(struct export_data *data);

/*
 * Where a file with holes has data: each chunk that it has, without the longer runs of zero blocks
 * inside of chunks, for large files have large chunks.
 */
int export_data_ranges(struct export_data *data, const struct tree_inode *inode,
		       struct mkrootfs_error *error);
/* Of a file with holes, the ranges that were asked for last. */
int export_data_copy(struct export_data *data, struct tar_writer *writer,
		     const struct tree_inode *inode, struct mkrootfs_error *error);

#endif
