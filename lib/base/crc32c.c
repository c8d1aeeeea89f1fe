/* SPDX-License-Identifier: Apache-2.0 */
#include "crc32c.h"

/*
 * One nibble at a time: a table of 16 constants that needs no initialisation. Checksummed areas are
 * a few blocks per image, so size and clarity win over speed.
 */
static const uint32_t nibble_table[16] = {
	0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
	0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
	0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

uint32_t crc32c(uint32_t seed, const void *data, size_t len)
{
	const uint8_t *byte = data;

	for (; len > 0; len--, byte++) {
		seed = nibble_table[(seed ^ *byte) & 15] ^ seed >> 4;
		seed = nibble_table[(seed ^ *byte >> 4) & 15] ^ seed >> 4;
	}
	return seed;
}
