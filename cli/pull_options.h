/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a pull, from the words of a command line. */
#ifndef CLI_PULL_OPTIONS_H
#define CLI_PULL_OPTIONS_H

#include "command.h"

/*
 * Borrows from the invocation; events stay unset. Returns 0, or the exit code of a usage error
 * that it printed.
 */
int read_pull_options(struct mkrootfs_pull_options *options, const struct invocation *invocation);

#endif
