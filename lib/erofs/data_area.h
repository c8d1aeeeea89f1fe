/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocks behind a layer image's superblock: contents one behind the other, in the order in
 * which they came. Blocks that hold only zeros are left as holes of the image file.
 *
 *	data_area_reserve(&area, blocks, error);
 *	data_area_write(&area, at, bytes, len, error);		below what is reserved
 *	data_area_cover(&area, error);				before what was written is read
 */
#ifndef MKROOTFS_EROFS_DATA_AREA_H
#define MKROOTFS_EROFS_DATA_AREA_H

#include "../io/image_file.h"

struct data_area {
	struct image_file *file;
	uint64_t next_block; /* first free one */
	uint64_t high_water; /* bytes of the image file behind which nothing was written yet */
};

int data_area_reserve(struct data_area *area, uint64_t blocks, struct mkrootfs_error *error);
/* at is bytes of the image file. */
int data_area_write(struct data_area *area, uint64_t at, const uint8_t *bytes, size_t len,
		    struct mkrootfs_error *error);
/* Forgets what was written behind the blocks in use: what is reserved from now on reads as zeros.
 */
int data_area_clear_rest(struct data_area *area, struct mkrootfs_error *error);
/* Reads of the image file must not meet its end: zeros that were skipped count as written. */
int data_area_cover(struct data_area *area, struct mkrootfs_error *error);

#endif
