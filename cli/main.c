/* SPDX-License-Identifier: Apache-2.0 */
/* What belongs to the process: its standard streams, and whether all output arrived. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command_line.h"
#include "exit_code.h"
#include "message.h"

/*
 * A parent may start us with closed standard streams. The next file opened would then take such a
 * number, and a message would land in an image. The stand-in fails every use, as a closed one
 * would.
 */
static void occupy_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int flags = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		/* open takes the lowest free number, which is fd. */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags) < 0)
			_exit(EXIT_CODE_FAILED);
	}
}

/* A result that did not arrive is no success, whatever the command did. */
static int close_output(int code)
{
	char message[128];
	/* fclose reports only what it writes itself, ferror what failed before. */
	bool failed = ferror(stdout);

	errno = 0;
	failed = fclose(stdout) || failed;
	if (!failed)
		return code;
	snprintf(message, sizeof(message), "cannot write to standard output%s%s", errno ? ": " : "",
		 errno ? strerror(errno) : "");
	print_failure(stderr, message);
	return code ? code : EXIT_CODE_FAILED;
}

int main(int argc, char **argv)
{
	static char *none[] = { NULL };

	occupy_standard_streams();
	/* Whole lines, so that those of processes that share a terminal do not mix. */
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	/* A reader that left is seen as a failed write. */
	signal(SIGPIPE, SIG_IGN);
	return close_output(command_line_run(argc > 0 ? argv + 1 : none, stdout, stderr));
}
