/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Content-Range header of a 206 (RFC 9110, section 14.4).
 *
 *	struct content_range range;
 *	if (content_range_parse(&range, "bytes 100-299/300"))
 *		use(range.first, range.total);
 */
#ifndef MKROOTFS_OCI_CONTENT_RANGE_H
#define MKROOTFS_OCI_CONTENT_RANGE_H

#include <stdbool.h>
#include <stdint.h>

struct content_range {
	uint64_t first, last; /* both are sent */
	bool has_total;	      /* else the server does not know it: "*" */
	uint64_t total;	      /* bytes of the whole */
};

/* False for anything but one range of bytes that lies within its total. */
bool content_range_parse(struct content_range *out, const char *value);

#endif
