/* SPDX-License-Identifier: Apache-2.0 */
/* What data.c and data_chunked.c share; nothing else includes it. */
#ifndef MKROOTFS_EROFS_DATA_STATE_H
#define MKROOTFS_EROFS_DATA_STATE_H

#include "../tree/tree.h"
#include "content_index.h"
#include "data_area.h"
#include "format.h"
#include "gap_hasher.h"

struct erofs_data {
	struct data_area area;
	struct tree *tree;
	struct xxh3 *hash;
	struct content_index index;
	struct content_table contents;
	/* The file in work. */
	uint64_t size;
	uint64_t start_block;
	uint32_t map;		/* reference of its chunk map, 0: contiguous */
	uint32_t extents;	/* of contents when it began */
	struct gap_hasher gaps; /* of one with a map */
};

static inline uint64_t data_blocks_of(uint64_t size)
{
	return size / EROFS_BLOCK_SIZE + (size % EROFS_BLOCK_SIZE != 0);
}

/* A file that may have holes: its chunks get blocks when the first byte of each comes. */
int data_begin_chunked(struct erofs_data *data, struct mkrootfs_error *error);
int data_append_chunked(struct erofs_data *data, uint64_t offset, const uint8_t *bytes, size_t len,
			struct mkrootfs_error *error);
/* Whether there is a chunk that nothing came for. */
bool data_has_holes(const struct erofs_data *data);

#endif
