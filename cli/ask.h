/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asking the user at the terminal.
 *
 *	if (!ask_possible())
 *		return usage_error(...);
 *	interrupt_watch();
 *	if (ask_line(user, sizeof(user), err, "User name: ") < 0 ||
 *	    ask_secret(password, sizeof(password), err, "Password: ") < 0)
 *		return ...;				nothing came, or a signal
 */
#ifndef CLI_ASK_H
#define CLI_ASK_H

#include <stdbool.h>
#include <stdio.h>

/* Whether standard input is a terminal. */
bool ask_possible(void);
/* Reads one line of standard input, without its end. -1: it ended, is too long, or a signal came.
 */
int ask_line(char *line, size_t size, FILE *err, const char *prompt);
/* The same without echo. The terminal is as before afterwards, also after a signal. */
int ask_secret(char *line, size_t size, FILE *err, const char *prompt);

#endif
