/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "stream_output.h"

const char *stream_output_file(const struct stream_output *output)
{
	const char *file = output->invocation->arguments.values[OPTION_OUTPUT];

	return file && strcmp(file, "-") != 0 ? file : NULL;
}

bool stream_output_is_terminal(const struct stream_output *output)
{
	int fd = fileno(output->invocation->out);

	return !stream_output_file(output) && fd >= 0 && isatty(fd);
}

int stream_output_write(void *user, const void *data, size_t size)
{
	struct stream_output *output = user;
	FILE *out = output->invocation->out;

	errno = 0;
	if (fwrite(data, 1, size, out) == size)
		return 0;
	/* Told here, with the reason: the program's end need not tell it again. */
	output->write_errno = errno ? errno : EIO;
	clearerr(out);
	return -1;
}

int stream_output_failure(const struct stream_output *output, const struct mkrootfs_error *error)
{
	const struct invocation *invocation = output->invocation;
	char message[256];

	if (output->write_errno) {
		snprintf(message, sizeof(message), "cannot write to standard output: %s",
			 strerror(output->write_errno));
		print_failure(invocation->err, message);
		return output->write_errno == ENOSPC ? EXIT_CODE_NO_SPACE : EXIT_CODE_FAILED;
	}
	return failure(invocation, error);
}
