/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text from outside on its way to a terminal, to JSON, or into a line that people paste into a
 * shell. Images carry such text: a variable of an image may hold the bytes that clear the screen.
 *
 *	print_escaped(out, text, strlen(text));
 *	print_json_string(out, path);
 *	print_shell_word(out, path);
 */
#ifndef CLI_ESCAPE_H
#define CLI_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* UTF-8 as it is; control characters and bytes that are not UTF-8 as \xNN. */
void print_escaped(FILE *out, const char *text, size_t length);

/* A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, as JSON has no other way.
 */
void print_json_string(FILE *out, const char *text);
/* The same for a text that may hold NULs. */
void print_json_text(FILE *out, const char *text, size_t length);

/* Whether JSON can hold all bytes; and whether none of them is a control character, too. */
bool is_utf8(const char *text, size_t length);
bool is_printable(const char *text, size_t length);

/* One word for a POSIX shell, quoted where it needs to be; control characters are escaped. */
void print_shell_word(FILE *out, const char *text);

#endif
