/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metadata on their way to the file: hashed, and at the offsets that were planned. For metadata*.c.
 *
 *	metadata_pad(&out, planned, error);
 *	metadata_put(&out, bytes, len, error);
 */
#ifndef MKROOTFS_EROFS_METADATA_OUTPUT_H
#define MKROOTFS_EROFS_METADATA_OUTPUT_H

#include "../base/buf.h"
#include "metadata.h"
#include "xxh.h"

struct metadata_output {
	struct image_file *file;
	const struct erofs_layout *plan;
	const struct erofs_metadata_options *options;
	uint64_t base; /* byte of the file where the metadata area starts */
	uint64_t at;   /* bytes written, from base */
	/* Next free block, from the file's start, for content that stands in blocks. */
	uint32_t block;
	uint32_t number;   /* i_ino of the next inode */
	struct buf head;   /* the inode in work */
	struct xxh3 *hash; /* of the metadata so far */
};

int metadata_put(struct metadata_output *out, const void *data, size_t len,
		 struct mkrootfs_error *error);
/* Zeros up to a planned offset. */
int metadata_pad(struct metadata_output *out, uint64_t offset, struct mkrootfs_error *error);
/* All that the plan has an offset for; metadata_area.c. */
int metadata_write_area(struct metadata_output *out, struct mkrootfs_error *error);

#endif
