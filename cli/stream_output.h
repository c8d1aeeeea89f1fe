/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes for a program and not for people, to a FILE or to standard output.
 *
 *	struct stream_output output = { .invocation = invocation };
 *
 *	if (stream_output_is_terminal(&output))
 *		return usage_error(...);
 *	if (stream_output_file(&output))
 *		status = mkrootfs_save_file(image, stream_output_file(&output), ...);
 *	else
 *		status = mkrootfs_save(image, stream_output_write, &output, ...);
 *	return status < 0 ? stream_output_failure(&output, &error) : EXIT_CODE_OK;
 */
#ifndef CLI_STREAM_OUTPUT_H
#define CLI_STREAM_OUTPUT_H

#include "command.h"

struct stream_output {
	const struct invocation *invocation; /* may have OPTION_OUTPUT */
	int write_errno; /* why standard output did not take the bytes; 0: it did */
};

/* NULL: standard output. */
const char *stream_output_file(const struct stream_output *output);
/* Whether the bytes would go to a terminal. */
bool stream_output_is_terminal(const struct stream_output *output);
/* A mkrootfs_write_fn; user is a struct stream_output. */
int stream_output_write(void *user, const void *data, size_t size);
/* Prints why it failed; returns the exit code, also that of a signal. */
int stream_output_failure(const struct stream_output *output, const struct mkrootfs_error *error);

#endif
