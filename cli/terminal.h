/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a stream leads to: a terminal that lines can be redrawn on, or a file or pipe.
 *
 *	struct terminal terminal = terminal_of(stderr);
 *
 *	if (terminal.live)
 *		terminal_measure(&terminal);
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

struct terminal {
	int fd;	    /* to ask for the size; -1: the size stays as it is */
	bool live;  /* lines can be redrawn */
	bool color; /* live, and NO_COLOR is not set */
	unsigned columns, rows;
};

struct terminal terminal_of(FILE *stream);

/* Asks for the size again, as windows change. */
void terminal_measure(struct terminal *terminal);

#endif
