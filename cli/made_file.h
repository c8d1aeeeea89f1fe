/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command says of the disk image that it made: sizes, and how to use it; its path alone, or
 * one JSON object, as OPTION_QUIET and OPTION_JSON want it.
 */
#ifndef CLI_MADE_FILE_H
#define CLI_MADE_FILE_H

#include "command.h"

/* A disk has holes and is written in no order, so that "-" cannot be a stream. 0 or an exit code.
 */
int made_file_check_name(const struct invocation *invocation, const char *name);

/* hint prints what stands behind the sizes. Returns an exit code. */
int made_file_print(const struct invocation *invocation, const char *name,
		    void (*hint)(FILE *out, const char *path));

#endif
