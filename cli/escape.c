/* SPDX-License-Identifier: Apache-2.0 */
#include "escape.h"

#include <stdint.h>
#include <string.h>

static bool is_continuation(const char *byte)
{
	return ((uint8_t)*byte & 0xc0) == 0x80;
}

/* The bytes that a UTF-8 sequence has by its first one, 0 for a byte that cannot be first. */
static size_t sequence_length(uint8_t first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
static bool second_byte_fits(uint8_t first, uint8_t second)
{
	switch (first) {
	case 0xe0:
		return second >= 0xa0;
	case 0xed:
		return second < 0xa0;
	case 0xf0:
		return second >= 0x90;
	case 0xf4:
		return second < 0x90;
	default:
		return true;
	}
}

/* The length of the character at text, or 0 when its bytes are not UTF-8. */
static size_t character_length(const char *text, size_t left)
{
	size_t length = sequence_length((uint8_t)*text);

	if (length > left)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if (!is_continuation(text + i))
			return 0;
	}
	if (length > 1 && !second_byte_fits((uint8_t)text[0], (uint8_t)text[1]))
		return 0;
	return length;
}

/* C0, DEL, and C1, which is 0xc2 0x80 to 0xc2 0x9f in UTF-8. */
static bool is_control(const char *character, size_t length)
{
	uint8_t first = (uint8_t)character[0];

	if (length == 1)
		return first < 0x20 || first == 0x7f;
	return length == 2 && first == 0xc2 && (uint8_t)character[1] < 0xa0;
}

void print_escaped(FILE *out, const char *text, size_t length)
{
	while (length > 0) {
		size_t step = character_length(text, length);

		if (step && !is_control(text, step)) {
			fwrite(text, 1, step, out);
		} else {
			step = 1;
			fprintf(out, "\\x%02x", (uint8_t)*text);
		}
		text += step;
		length -= step;
	}
}

static void print_json_character(FILE *out, const char *character, size_t length)
{
	if (!length)
		fputs("\\ufffd", out);
	else if (*character == '"' || *character == '\\')
		fprintf(out, "\\%c", *character);
	else if (length == 1 && is_control(character, length))
		fprintf(out, "\\u%04x", (uint8_t)*character);
	else
		fwrite(character, 1, length, out);
}

void print_json_text(FILE *out, const char *text, size_t left)
{
	putc('"', out);
	while (left > 0) {
		size_t length = character_length(text, left), step = length ? length : 1;

		print_json_character(out, text, length);
		text += step;
		left -= step;
	}
	putc('"', out);
}

void print_json_string(FILE *out, const char *text)
{
	print_json_text(out, text, strlen(text));
}

bool is_utf8(const char *text, size_t length)
{
	while (length > 0) {
		size_t step = character_length(text, length);

		if (!step)
			return false;
		text += step;
		length -= step;
	}
	return true;
}

bool is_printable(const char *text, size_t length)
{
	while (length > 0) {
		size_t step = character_length(text, length);

		if (!step || is_control(text, step))
			return false;
		text += step;
		length -= step;
	}
	return true;
}

void print_shell_word(FILE *out, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:=,@%+-";

	if (*text && !text[strspn(text, plain)]) {
		fputs(text, out);
		return;
	}
	putc('\'', out);
	for (size_t run; *text; text += run) {
		run = strcspn(text, "'");
		print_escaped(out, text, run);
		if (text[run] == '\'') {
			fputs("'\\''", out);
			run++;
		}
	}
	putc('\'', out);
}
