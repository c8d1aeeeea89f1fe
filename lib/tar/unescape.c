/* SPDX-License-Identifier: Apache-2.0 */
#include "unescape.h"

#include "../base/base64.h"

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

bool tar_unescape_base64(struct tar_text *text)
{
	return base64_decode(text->data, &text->len);
}
