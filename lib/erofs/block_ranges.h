/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranges of blocks in rising order, with a mark each.
 *
 *	struct block_ranges r = { 0 };
 *	block_ranges_add(&r, 10, 12, error);		blocks 10 and 11
 *	i = block_ranges_find(&r, 11);			the first that ends behind it
 *	for (; i < r.count && r.items[i].start < 20; i++) ...
 *	block_ranges_free(&r);
 */
#ifndef MKROOTFS_EROFS_BLOCK_RANGES_H
#define MKROOTFS_EROFS_BLOCK_RANGES_H

#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct block_range {
	uint64_t start, end;
	bool marked;
};

struct block_ranges {
	struct block_range *items;
	size_t count, room;
};

/* start is not lower than the ends of those before. */
int block_ranges_add(struct block_ranges *ranges, uint64_t start, uint64_t end,
		     struct mkrootfs_error *error);
/* The first range that ends behind start; count when there is none. */
size_t block_ranges_find(const struct block_ranges *ranges, uint64_t start);
void block_ranges_free(struct block_ranges *ranges);

#endif
