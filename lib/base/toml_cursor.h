/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a TOML document from its start to its end, with its places for messages. Private to the
 * TOML reader.
 *
 *	toml_cursor_open(&c, data, len, error);		checks UTF-8 and control characters
 *	toml_skip_blanks(&c);
 *	if (!toml_take(&c, '='))
 *		return toml_fail(&c, error, "'=' is missing behind the key");
 */
#ifndef MKROOTFS_BASE_TOML_CURSOR_H
#define MKROOTFS_BASE_TOML_CURSOR_H

#include "error.h"

#include <stdbool.h>

struct toml_cursor {
	const uint8_t *start, *at, *end;
	const uint8_t *counted; /* line is that of this place */
	unsigned line;
};

int toml_cursor_open(struct toml_cursor *c, const void *data, size_t len,
		     struct mkrootfs_error *error);
/* MALFORMED at the current place. */
int toml_fail(const struct toml_cursor *c, struct mkrootfs_error *error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Puts a place before an error that was set without one. */
int toml_place_error(const struct toml_cursor *c, const uint8_t *at, struct mkrootfs_error *error);
/* The line of the current place, from 1. */
unsigned toml_line(struct toml_cursor *c);

/* The byte that stands ahead bytes further, or -1 behind the end. */
int toml_peek(const struct toml_cursor *c, size_t ahead);
/* Steps over a byte, text or newline (LF or CRLF), when it stands here. */
bool toml_take(struct toml_cursor *c, char byte);
bool toml_take_text(struct toml_cursor *c, const char *text);
bool toml_take_newline(struct toml_cursor *c);
/* Spaces and tabs. */
void toml_skip_blanks(struct toml_cursor *c);
/* A comment, when one begins here, up to its newline. */
void toml_skip_comment(struct toml_cursor *c);
/* All that may stand between the values of an array: blanks, newlines, comments. */
void toml_skip_filling(struct toml_cursor *c);

#endif
