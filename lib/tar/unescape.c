/* SPDX-License-Identifier: Apache-2.0 */
#include "unescape.h"

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool tar_unescape_percent(struct tar_text *text)
{
	size_t used = 0;

	for (size_t i = 0; i < text->len; i++) {
		char c = text->data[i];

		if (c == '%') {
			int high = i + 2 < text->len ? hex_value(text->data[i + 1]) : -1;
			int low = high >= 0 ? hex_value(text->data[i + 2]) : -1;

			if (low < 0)
				return false;
			c = (char)(high << 4 | low);
			i += 2;
		}
		text->data[used++] = c;
	}
	text->len = used;
	return true;
}

static int base64_value(char c)
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

/* Removes up to two '=' from the end of a whole number of groups. */
static void drop_padding(struct tar_text *text)
{
	if (text->len % 4 != 0)
		return;
	for (int i = 0; i < 2 && text->len > 0 && text->data[text->len - 1] == '='; i++)
		text->len--;
}

bool tar_unescape_base64(struct tar_text *text)
{
	size_t used = 0;
	uint32_t bits = 0;

	drop_padding(text);
	if (text->len % 4 == 1)
		return false;
	for (size_t i = 0; i < text->len; i++) {
		int value = base64_value(text->data[i]);

		if (value < 0)
			return false;
		bits = bits << 6 | (uint32_t)value;
		/* The first digit of each four completes no byte. */
		if (i % 4 > 0)
			text->data[used++] = (char)(bits >> (6 - i % 4 * 2));
	}
	text->len = used;
	return true;
}
