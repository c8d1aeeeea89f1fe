/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

static bool can_move_cursor(void)
{
	return is_set("TERM") && strcmp(getenv("TERM"), "dumb") != 0;
}

void terminal_measure(struct terminal *terminal)
{
	struct winsize size;

	if (terminal->fd < 0 || ioctl(terminal->fd, TIOCGWINSZ, &size) < 0)
		return;
	/* Serial consoles say 0. */
	if (size.ws_col)
		terminal->columns = size.ws_col;
	if (size.ws_row)
		terminal->rows = size.ws_row;
}

struct terminal terminal_of(FILE *stream)
{
	struct terminal terminal = { .fd = fileno(stream), .columns = 80, .rows = 24 };

	terminal.live = terminal.fd >= 0 && isatty(terminal.fd) && can_move_cursor();
	terminal.color = terminal.live && !is_set("NO_COLOR");
	if (terminal.live)
		terminal_measure(&terminal);
	return terminal;
}
