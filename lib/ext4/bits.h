/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of a bitmap: bit n is bit n % 8 of byte n / 8. */
#ifndef MKROOTFS_EXT4_BITS_H
#define MKROOTFS_EXT4_BITS_H

#include <stdbool.h>
#include <stdint.h>

void ext4_bits_set(uint8_t *bitmap, uint32_t start, uint32_t end);
void ext4_bits_clear(uint8_t *bitmap, uint32_t start, uint32_t end);

static inline bool ext4_bits_has(const uint8_t *bitmap, uint32_t bit)
{
	return bitmap[bit / 8] >> bit % 8 & 1;
}

#endif
