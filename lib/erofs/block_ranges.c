/* SPDX-License-Identifier: Apache-2.0 */
#include "block_ranges.h"

#include <stdlib.h>

int block_ranges_add(struct block_ranges *ranges, uint64_t start, uint64_t end,
		     struct mkrootfs_error *error)
{
	if (ranges->count == ranges->room) {
		size_t room = ranges->room ? 2 * ranges->room : 64;
		struct block_range *items = realloc(ranges->items, room * sizeof(*items));

		if (!items)
			return error_no_memory(error);
		ranges->items = items;
		ranges->room = room;
	}
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
