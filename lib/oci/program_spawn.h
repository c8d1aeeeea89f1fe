/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts a program with pipes for its three streams.
 *
 *	program_spawn(&pid, ends, words, error);	ends are ours, and do not block
 *
 * It is the leader of a new process group, and has no signal blocked or ignored.
 */
#ifndef MKROOTFS_OCI_PROGRAM_SPAWN_H
#define MKROOTFS_OCI_PROGRAM_SPAWN_H

#include "../base/error.h"

#include <sys/types.h>

enum { PROGRAM_IN, PROGRAM_OUT, PROGRAM_ERR, PROGRAM_STREAMS };

/* After a failure all ends are -1. */
int program_spawn(pid_t *pid, int ends[PROGRAM_STREAMS], const char *const *words,
		  struct mkrootfs_error *error);

#endif
