/* SPDX-License-Identifier: Apache-2.0 */
#include "base64.h"

#include <stdint.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void print_base64(FILE *out, const void *bytes, size_t size)
{
	const uint8_t *in = bytes;

	for (size_t i = 0; i < size; i += 3) {
		size_t left = size - i;
		uint32_t group = (uint32_t)in[i] << 16;

		group |= left > 1 ? (uint32_t)in[i + 1] << 8 : 0;
		group |= left > 2 ? in[i + 2] : 0u;
		putc(digits[group >> 18], out);
		putc(digits[group >> 12 & 63], out);
		putc(left > 1 ? digits[group >> 6 & 63] : '=', out);
		putc(left > 2 ? digits[group & 63] : '=', out);
	}
}
