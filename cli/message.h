/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the command says when things go wrong: each call writes one line, whatever the text holds.
 *
 *	print_warning(err, "layer 2: trailing garbage ignored");
 *	print_failure(err, error.message);
 */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdio.h>

/* The prefix as it is, the message with its control characters escaped, a newline. */
void print_line(FILE *err, const char *prefix, const char *message);

/* "mkrootfs: <message>" */
void print_failure(FILE *err, const char *message);

/* "mkrootfs: hint: <message>" */
void print_hint(FILE *err, const char *message);

/* "mkrootfs: warning: <message>" */
void print_warning(FILE *err, const char *message);

#endif
