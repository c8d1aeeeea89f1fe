/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of another program: fed, heard, capped and timed. No shell.
 *
 *	const char *const words[] = { "docker-credential-pass", "get", NULL };
 *	struct program_result result;
 *
 *	program_run(&result, words, "ghcr.io", &limits, error);
 *	program_result_clear(&result);
 *
 * The program is looked for in the PATH of the environment, which it inherits. It runs in a process
 * group of its own, so that all of it ends when it has to. The clock: the monotonic one.
 */
#ifndef MKROOTFS_OCI_PROGRAM_H
#define MKROOTFS_OCI_PROGRAM_H

#include "../base/buf.h"
#include "http.h"

#define PROGRAM_OUTPUT_MAX (64u << 10) /* bytes of standard output; more ends it */
#define PROGRAM_ERROR_MAX (4u << 10)   /* bytes kept of standard error */

struct program_limits {
	unsigned timeout;  /* seconds; 0: 60 */
	http_wait_fn wait; /* or NULL */
	void *wait_user;
};

struct program_result {
	struct buf out, err; /* out may hold secrets */
	int exit_code;	     /* 128 and the number of a signal that ended it */
};

/*
 * Returns 0 when the program ended by itself, whatever it said. NOT_FOUND: there is none. The
 * result is to be cleared in any case.
 */
int program_run(struct program_result *result, const char *const *words, const char *input,
		const struct program_limits *limits, struct mkrootfs_error *error);
void program_result_clear(struct program_result *result);

#endif
