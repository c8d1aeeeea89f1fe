/* SPDX-License-Identifier: Apache-2.0 */
#include "utf8.h"

/* Unicode standard, table 3-7: only the second byte has narrower bounds than 80 to BF. */
size_t utf8_length(const uint8_t *text, size_t left)
{
	uint8_t lead = left > 0 ? text[0] : 0xff;
	size_t len = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	uint8_t low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
	uint8_t high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;

	if (lead > 0xf4 || len > left)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if (text[i] < low || text[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return len;
}

size_t utf8_encode(uint8_t out[4], uint32_t code_point)
{
	size_t len = code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
	static const uint8_t leads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (size_t i = len; i-- > 1; code_point >>= 6)
		out[i] = (uint8_t)(0x80 | (code_point & 0x3f));
	out[0] = (uint8_t)(leads[len] | code_point);
	return len;
}
