/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the bytes of an image from front to back in large pieces.
 *
 *	block_stream_open(&s, reader, error);
 *	block_stream_hash(&s, hash, offset, end, error);
 *	block_stream_zeros(&s, &zeros, offset, end, error);
 *	block_stream_close(&s);
 */
#ifndef MKROOTFS_EROFS_BLOCK_STREAM_H
#define MKROOTFS_EROFS_BLOCK_STREAM_H

#include "reader.h"
#include "xxh.h"

struct block_stream {
	const struct extents *extents;
	uint8_t *bytes;
	size_t room;
	uint64_t start; /* of bytes in the image */
	size_t len;
};

int block_stream_open(struct block_stream *stream, const struct erofs_reader *reader,
		      struct mkrootfs_error *error);
void block_stream_close(struct block_stream *stream);

/* Adds bytes offset to end of the image to hash. */
int block_stream_hash(struct block_stream *stream, struct xxh3 *hash, uint64_t offset, uint64_t end,
		      struct mkrootfs_error *error);
/* Whether all of them are zero. Holes of the file are not read. */
int block_stream_zeros(struct block_stream *stream, bool *zeros, uint64_t offset, uint64_t end,
		       struct mkrootfs_error *error);

#endif
