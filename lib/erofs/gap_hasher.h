/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hashing a content that has gaps: into extents of a content table, where a large gap is an extent
 * of its own that takes no hashing.
 *
 *	gap_hasher_begin(&g, hash, &table, start);	a block's start, in bytes
 *	gap_hasher_piece(&g, at, bytes, len, error);	in rising order of addresses
 *	gap_hasher_end(&g, end, error);			a block's start
 */
#ifndef MKROOTFS_EROFS_GAP_HASHER_H
#define MKROOTFS_EROFS_GAP_HASHER_H

#include "content_table.h"
#include "xxh.h"

struct gap_hasher {
	struct xxh3 *hash;	     /* borrowed */
	struct content_table *table; /* borrowed */
	uint64_t start;		     /* of the extent in work, bytes */
	uint64_t hashed;	     /* bytes up to which it was hashed */
};

void gap_hasher_begin(struct gap_hasher *hasher, struct xxh3 *hash, struct content_table *table,
		      uint64_t start);
int gap_hasher_piece(struct gap_hasher *hasher, uint64_t at, const uint8_t *bytes, size_t len,
		     struct mkrootfs_error *error);
int gap_hasher_end(struct gap_hasher *hasher, uint64_t end, struct mkrootfs_error *error);

#endif
