/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exit codes of the command, a promise to scripts. docs/man/mkrootfs.1 and the help list them.
 *
 *	return exit_code_of(error.status);
 */
#ifndef CLI_EXIT_CODE_H
#define CLI_EXIT_CODE_H

enum exit_code {
	EXIT_CODE_OK = 0,
	EXIT_CODE_FAILED = 1, /* input, output, memory, or what no other code says */
	EXIT_CODE_USAGE = 2,
	EXIT_CODE_NOT_FOUND = 3,
	EXIT_CODE_NETWORK = 4,
	EXIT_CODE_DENIED = 5,
	EXIT_CODE_BAD_INPUT = 6, /* malformed, wrong digest, over a limit */
	EXIT_CODE_NO_SPACE = 7,
	EXIT_CODE_UNSUPPORTED = 8,
	EXIT_CODE_PLATFORM = 9, /* the image is there, but not for that platform */
	EXIT_CODE_TLS = 10,
	EXIT_CODE_NAME = 11, /* a host name was not found */
	EXIT_CODE_RATE_LIMIT = 12,
	EXIT_CODE_SIGNAL = 128, /* plus the number of the signal */
};

/* The exit code for an enum mkrootfs_status. */
int exit_code_of(int status);

#endif
