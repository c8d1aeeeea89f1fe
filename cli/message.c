/* SPDX-License-Identifier: Apache-2.0 */
#include "message.h"

#include <string.h>

#include "escape.h"

void print_line(FILE *err, const char *prefix, const char *message)
{
	fputs(prefix, err);
	print_escaped(err, message, strlen(message));
	putc('\n', err);
	fflush(err);
}

void print_failure(FILE *err, const char *message)
{
	print_line(err, "mkrootfs: ", message);
}

void print_hint(FILE *err, const char *message)
{
	print_line(err, "mkrootfs: hint: ", message);
}

void print_warning(FILE *err, const char *message)
{
	print_line(err, "mkrootfs: warning: ", message);
}
