/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a writable disk is to hold, from the words of the command line: in their order, each with
 * the owner and the mode that stand before it.
 *
 *	struct mkrootfs_upper_entry entries[OPTIONS_MAX];
 *	int code = upper_entries_read(entries, &count, invocation);
 *	...
 *	upper_entries_free(entries, count);
 */
#ifndef CLI_UPPER_ENTRIES_H
#define CLI_UPPER_ENTRIES_H

#include "command.h"

/* Returns 0 or an exit code, the problem printed. */
int upper_entries_read(struct mkrootfs_upper_entry entries[OPTIONS_MAX], size_t *count,
		       const struct invocation *invocation);
void upper_entries_free(struct mkrootfs_upper_entry *entries, size_t count);

#endif
