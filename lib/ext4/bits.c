/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

#include <string.h>

static void put_bit(uint8_t *bitmap, uint32_t bit, bool set)
{
	uint8_t mask = (uint8_t)(1u << bit % 8);

	bitmap[bit / 8] = (uint8_t)(set ? bitmap[bit / 8] | mask : bitmap[bit / 8] & ~mask);
}

/* Single bits up to whole bytes at both ends. */
static void put_range(uint8_t *bitmap, uint32_t start, uint32_t end, bool set)
{
	while (start < end && start % 8)
		put_bit(bitmap, start++, set);
	while (end > start && end % 8)
		put_bit(bitmap, --end, set);
	if (start < end)
		memset(bitmap + start / 8, set ? 0xff : 0, (end - start) / 8);
}

void ext4_bits_set(uint8_t *bitmap, uint32_t start, uint32_t end)
{
	put_range(bitmap, start, end, true);
}

void ext4_bits_clear(uint8_t *bitmap, uint32_t start, uint32_t end)
{
	put_range(bitmap, start, end, false);
}
