/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of a writable disk, from words to the library's struct.
 *
 *	struct mkrootfs_upper_options options;
 *	int code = upper_options_read(&options, invocation);
 */
#ifndef CLI_UPPER_OPTIONS_H
#define CLI_UPPER_OPTIONS_H

#include "command.h"

/* Strings are borrowed from the invocation. Returns 0 or an exit code, the problem printed. */
int upper_options_read(struct mkrootfs_upper_options *options, const struct invocation *invocation);

#endif
