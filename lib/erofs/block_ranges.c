/* SPDX-License-Identifier: Apache-2.0 */
#include "block_ranges.h"

#include "../base/array.h"

#include <stdlib.h>

int block_ranges_add(struct block_ranges *ranges, uint64_t start, uint64_t end,
		     struct mkrootfs_error *error)
{
	if (array_reserve(&ranges->items, &ranges->room, ranges->count, sizeof(*ranges->items),
			  error) < 0)
		return error->status;
	ranges->items[ranges->count++] = (struct block_range){ start, end, false };
	return 0;
}

size_t block_ranges_find(const struct block_ranges *ranges, uint64_t start)
{
	size_t low = 0, high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->items[middle].end <= start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void block_ranges_free(struct block_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct block_ranges){ 0 };
}
