/* SPDX-License-Identifier: Apache-2.0 */
#include "toml_cursor.h"

#include "utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Control characters stand nowhere in a document, but tabs, LF, and CR before LF. */
static bool is_control(const uint8_t *at, const uint8_t *end)
{
	if (*at == '\r')
		return at + 1 == end || at[1] != '\n';
	return (*at < 0x20 && *at != '\t' && *at != '\n') || *at == 0x7f;
}

int toml_cursor_open(struct toml_cursor *c, const void *data, size_t len,
		     struct mkrootfs_error *error)
{
	const uint8_t *start = data;

	*c = (struct toml_cursor){ start, start, start + len, start, 1 };
	while (c->at < c->end) {
		size_t step = utf8_length(c->at, (size_t)(c->end - c->at));

		if (step == 0)
			return toml_fail(c, error, "this is no UTF-8");
		if (is_control(c->at, c->end))
			return toml_fail(c, error, "control character 0x%02x", *c->at);
		c->at += step;
	}
	c->at = start;
	return 0;
}

static unsigned count_lines(const uint8_t *from, const uint8_t *to)
{
	unsigned lines = 0;

	for (; from < to; from++)
		lines += *from == '\n';
	return lines;
}

/* Columns are characters: continuation bytes do not count. */
static unsigned column(const struct toml_cursor *c, const uint8_t *at)
{
	unsigned count = 1;

	for (; at > c->start && at[-1] != '\n'; at--)
		count += (at[-1] & 0xc0) != 0x80;
	return count;
}

int toml_place_error(const struct toml_cursor *c, const uint8_t *at, struct mkrootfs_error *error)
{
	return error_prefix(error, "line %u, column %u: ", count_lines(c->start, at) + 1,
			    column(c, at));
}

int toml_fail(const struct toml_cursor *c, struct mkrootfs_error *error, const char *format, ...)
{
	char text[256];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	error_set(error, MKROOTFS_ERROR_MALFORMED, "%s", text);
	return toml_place_error(c, c->at, error);
}

unsigned toml_line(struct toml_cursor *c)
{
	c->line += count_lines(c->counted, c->at);
	c->counted = c->at;
	return c->line;
}

int toml_peek(const struct toml_cursor *c, size_t ahead)
{
	return (size_t)(c->end - c->at) > ahead ? c->at[ahead] : -1;
}

bool toml_take(struct toml_cursor *c, char byte)
{
	if (toml_peek(c, 0) != byte)
		return false;
	c->at++;
	return true;
}

bool toml_take_text(struct toml_cursor *c, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(c->end - c->at) < len || memcmp(c->at, text, len) != 0)
		return false;
	c->at += len;
	return true;
}

bool toml_take_newline(struct toml_cursor *c)
{
	return toml_take(c, '\n') || toml_take_text(c, "\r\n");
}

void toml_skip_blanks(struct toml_cursor *c)
{
	while (toml_take(c, ' ') || toml_take(c, '\t'))
		;
}

void toml_skip_comment(struct toml_cursor *c)
{
	if (toml_peek(c, 0) != '#')
		return;
	while (c->at < c->end && *c->at != '\n' && *c->at != '\r')
		c->at++;
}

void toml_skip_filling(struct toml_cursor *c)
{
	do {
		toml_skip_blanks(c);
		toml_skip_comment(c);
	} while (toml_take_newline(c));
}
