/* SPDX-License-Identifier: Apache-2.0 */
#include "crc32c.h"

#include "bytes.h"
#include "cpu.h"
#include "crc32c_table.h"

/* Four bytes a step, from constant tables: no initialisation, any processor. */
uint32_t crc32c_portable(uint32_t seed, const void *data, size_t len)
{
	const uint8_t *byte = data;

	for (; len >= 4; len -= 4, byte += 4) {
		seed ^= get_le32(byte);
		seed = crc32c_table[3][seed & 0xff] ^ crc32c_table[2][seed >> 8 & 0xff] ^
		       crc32c_table[1][seed >> 16 & 0xff] ^ crc32c_table[0][seed >> 24];
	}
	for (; len > 0; len--, byte++)
		seed = crc32c_table[0][(seed ^ *byte) & 0xff] ^ seed >> 8;
	return seed;
}

#if defined(__x86_64__)
/* SSE 4.2 has this very polynomial: 8 bytes in 3 cycles, and no table to fetch. */
__attribute__((target("sse4.2"))) static uint32_t crc32c_sse42(uint32_t seed, const uint8_t *byte,
							       size_t len)
{
	uint64_t wide = seed;

	for (; len >= 8; len -= 8, byte += 8)
		wide = __builtin_ia32_crc32di(wide, get_le64(byte));
	seed = (uint32_t)wide;
	for (; len > 0; len--, byte++)
		seed = __builtin_ia32_crc32qi(seed, *byte);
	return seed;
}

uint32_t crc32c(uint32_t seed, const void *data, size_t len)
{
	if (cpu_has_sse42())
		return crc32c_sse42(seed, data, len);
	return crc32c_portable(seed, data, len);
}
#else
uint32_t crc32c(uint32_t seed, const void *data, size_t len)
{
	return crc32c_portable(seed, data, len);
}
#endif
