/* SPDX-License-Identifier: Apache-2.0 */
#include "toml_string.h"

#include "utf8.h"

#include <string.h>

static int hex_value(int byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	byte |= 0x20;
	return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* The digits of \uXXXX and \UXXXXXXXX: any Unicode scalar value. */
static int read_code_point(struct buf *out, struct toml_cursor *c, unsigned digits,
			   struct mkrootfs_error *error)
{
	uint32_t value = 0;
	uint8_t bytes[4];

	for (unsigned i = 0; i < digits; i++) {
		int digit = hex_value(toml_peek(c, i));

		if (digit < 0)
			return toml_fail(c, error, "an escape needs %u hexadecimal digits", digits);
		value = value << 4 | (uint32_t)digit;
	}
	if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return toml_fail(c, error, "the escape is no Unicode character");
	c->at += digits;
	return buf_append(out, bytes, utf8_encode(bytes, value), error);
}

/* A backslash at a line's end hides the newline, and all white space up to the next text. */
static bool skip_line_end(struct toml_cursor *c)
{
	const uint8_t *back = c->at;

	toml_skip_blanks(c);
	if (!toml_take_newline(c)) {
		c->at = back;
		return false;
	}
	do
		toml_skip_blanks(c);
	while (toml_take_newline(c));
	return true;
}

/* Behind a backslash. */
static int read_escape(struct buf *out, struct toml_cursor *c, bool multi_line,
		       struct mkrootfs_error *error)
{
	static const char letters[] = "btnfr\"\\", means[] = "\b\t\n\f\r\"\\";
	int letter = toml_peek(c, 0);
	const char *found = letter > 0 ? strchr(letters, letter) : NULL;

	if (multi_line && skip_line_end(c))
		return 0;
	if (letter == 'u' || letter == 'U') {
		c->at++;
		return read_code_point(out, c, letter == 'u' ? 4 : 8, error);
	}
	if (!found)
		return toml_fail(c, error, "unknown escape in a string");
	c->at++;
	return buf_append(out, &means[found - letters], 1, error);
}

/* Bytes up to the next that is special in any string. */
static int read_plain(struct buf *out, struct toml_cursor *c, char quote,
		      struct mkrootfs_error *error)
{
	const uint8_t *from = c->at;

	while (c->at < c->end && *c->at != quote && *c->at != '\\' && *c->at != '\n' &&
	       *c->at != '\r')
		c->at++;
	return buf_append(out, from, (size_t)(c->at - from), error);
}

/* Up to two quotes may stand before the three that end a string. */
static bool take_end(struct toml_cursor *c, char quote, bool multi_line)
{
	if (!multi_line)
		return toml_take(c, quote);
	if (toml_peek(c, 0) != quote || toml_peek(c, 1) != quote || toml_peek(c, 2) != quote ||
	    toml_peek(c, 3) == quote)
		return false;
	c->at += 3;
	return true;
}

static bool too_many_quotes(const struct toml_cursor *c, char quote)
{
	for (size_t i = 0; i < 6; i++) {
		if (toml_peek(c, i) != quote)
			return false;
	}
	return true;
}

/* One special byte, or a run of plain ones. */
static int read_piece(struct buf *out, struct toml_cursor *c, char quote, bool multi_line,
		      struct mkrootfs_error *error)
{
	if (c->at == c->end)
		return toml_fail(c, error, "the string does not end");
	if (quote == '"' && toml_take(c, '\\'))
		return read_escape(out, c, multi_line, error);
	if (multi_line && toml_take_newline(c))
		return buf_append(out, "\n", 1, error);
	if (*c->at == '\n' || *c->at == '\r')
		return toml_fail(c, error, "the string does not end on its line");
	if (multi_line && too_many_quotes(c, quote))
		return toml_fail(c, error, "more than five quotes in a row");
	if (*c->at == quote || *c->at == '\\')
		return buf_append(out, c->at++, 1, error);
	return read_plain(out, c, quote, error);
}

int toml_read_string(struct buf *out, struct toml_cursor *c, bool one_line,
		     struct mkrootfs_error *error)
{
	char quote = (char)toml_peek(c, 0);
	bool multi_line = !one_line && toml_peek(c, 1) == quote && toml_peek(c, 2) == quote;
	int status = buf_append(out, "", 0, error);

	buf_clear(out);
	c->at += multi_line ? 3 : 1;
	if (multi_line)
		toml_take_newline(c);
	while (status == 0 && !take_end(c, quote, multi_line))
		status = read_piece(out, c, quote, multi_line, error);
	return status;
}
