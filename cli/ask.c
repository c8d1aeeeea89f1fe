/* SPDX-License-Identifier: Apache-2.0 */
#include "ask.h"

#include <errno.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include "interrupt.h"

#define SIGNAL_STEP 200 /* milliseconds between two looks for a signal */

bool ask_possible(void)
{
	return isatty(STDIN_FILENO);
}

/* One byte; 0 at the end, -1 after a signal that ends the command. */
static int read_byte(char *byte)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	ssize_t got;

	for (;;) {
		/* A signal ends it, as it would not end read; one that came before is seen soon. */
		if (poll(&input, 1, SIGNAL_STEP) < 0 && errno != EINTR)
			return -1;
		if (interrupt_signal())
			return -1;
		if (!input.revents)
			continue;
		got = read(STDIN_FILENO, byte, 1);
		if (got >= 0 || (errno != EINTR && errno != EAGAIN))
			return (int)got;
	}
}

static int read_line(char *line, size_t size)
{
	size_t used = 0;
	int got;
	char byte;

	while ((got = read_byte(&byte)) > 0 && byte != '\n') {
		if (used + 1 >= size || byte == '\0')
			return -1;
		line[used++] = byte;
	}
	line[used] = '\0';
	return got > 0 ? 0 : -1;
}

int ask_line(char *line, size_t size, FILE *err, const char *prompt)
{
	fputs(prompt, err);
	fflush(err);
	return read_line(line, size);
}

int ask_secret(char *line, size_t size, FILE *err, const char *prompt)
{
	struct termios before, quiet;
	int status;

	if (tcgetattr(STDIN_FILENO, &before) < 0)
		return -1;
	quiet = before;
	quiet.c_lflag &= ~(tcflag_t)ECHO;
	quiet.c_lflag |= ECHONL;
	/* What was typed before the prompt is thrown away: it was shown. */
	if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) < 0)
		return -1;
	status = ask_line(line, size, err, prompt);
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
	return status;
}
