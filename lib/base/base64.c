/* SPDX-License-Identifier: Apache-2.0 */
#include "base64.h"

static char digit_of(uint32_t value)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	return digits[value & 63];
}

/* Four digits of up to three bytes. */
static void encode_group(char out[4], const uint8_t *data, size_t len)
{
	uint32_t bits = (uint32_t)data[0] << 16;

	if (len > 1)
		bits |= (uint32_t)data[1] << 8;
	if (len > 2)
		bits |= data[2];
	out[0] = digit_of(bits >> 18);
	out[1] = digit_of(bits >> 12);
	out[2] = len > 1 ? digit_of(bits >> 6) : '=';
	out[3] = len > 2 ? digit_of(bits) : '=';
}

int base64_append(struct buf *out, const void *data, size_t len, struct mkrootfs_error *error)
{
	const uint8_t *byte = data;
	int status = 0;

	for (; len > 0 && status == 0; byte += 3, len = len > 3 ? len - 3 : 0) {
		char group[4];

		encode_group(group, byte, len);
		status = buf_append(out, group, sizeof(group), error);
	}
	return status;
}

static int value_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+')
		return 62;
	return c == '/' ? 63 : -1;
}

/* Without up to two '=' at the end of a whole number of groups. */
static size_t without_padding(const char *text, size_t len)
{
	if (len % 4 != 0)
		return len;
	for (int i = 0; i < 2 && len > 0 && text[len - 1] == '='; i++)
		len--;
	return len;
}

bool base64_decode(char *text, size_t *len)
{
	size_t digits = without_padding(text, *len), used = 0;
	uint32_t bits = 0;

	if (digits % 4 == 1)
		return false;
	for (size_t i = 0; i < digits; i++) {
		int value = value_of(text[i]);

		if (value < 0)
			return false;
		bits = bits << 6 | (uint32_t)value;
		/* The first digit of each four completes no byte. */
		if (i % 4 > 0)
			text[used++] = (char)(bits >> (6 - i % 4 * 2));
	}
	*len = used;
	return true;
}
