/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The caps on what an image may ask for, as options.
 *
 *	static const struct option_spec options[] = { ..., OPTION_SPECS_LIMITS, OPTION_SPEC_END };
 *	struct mkrootfs_limits limits;
 *	int code = limits_read(&limits, invocation);
 *
 *	...
 *	limits_advise(&error);		then failure(invocation, &error)
 */
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include "command.h"

/* clang-format off */
#define OPTION_SPECS_LIMITS \
	{ OPTION_MAX_ENTRIES, 0, "max-entries", "N", \
	  "refuse a layer of more entries;\ndefault 16777216" }, \
	{ OPTION_MAX_UNPACKED, 0, "max-unpacked", "SIZE", \
	  "refuse a layer that unpacks to more bytes;\ndefault 1T" }, \
	{ OPTION_MAX_RATIO, 0, "max-ratio", "N", \
	  "refuse a layer of more than 4 GiB that\nunpacks to more than N times its size;\ndefault 2000" }, \
	{ OPTION_MAX_DEPTH, 0, "max-depth", "N", \
	  "refuse paths of more components;\ndefault 1024" }, \
	{ OPTION_MAX_XATTRS, 0, "max-xattrs", "SIZE", \
	  "refuse an entry with more bytes of extended\nattributes; default 1M" }, \
	{ OPTION_MAX_LAYERS, 0, "max-layers", "N", \
	  "refuse an image of more layers;\ndefault 1024" }
/* clang-format on */

/* Returns 0 or an exit code. What was not given is 0, the library's default. */
int limits_read(struct mkrootfs_limits *limits, const struct invocation *invocation);

/* Where an error names one of the limits, it then names the option that raises it. */
void limits_advise(struct mkrootfs_error *error);

#endif
