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

/* What build and upper may choose about an ext4, between its size and its names. */
#define OPTION_SPECS_EXT4                                                \
	{ OPTION_MAX_SIZE, 0, "max-size", "SIZE",                        \
	  "reserve what growing to SIZE takes while mounted" },          \
		{ OPTION_INODE_RATIO, 0, "inode-ratio", "SIZE",          \
		  "bytes for each inode; default 16K" },                 \
		{ OPTION_JOURNAL_SIZE, 0, "journal-size", "SIZE",        \
		  "4M to 256M; default by the size, at most 64M" },      \
	{                                                                \
		OPTION_RESERVED_BLOCKS, 0, "reserved-blocks", "PERCENT", \
			"of the blocks for root alone; default 0"        \
	}

#endif
