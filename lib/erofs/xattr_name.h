/* SPDX-License-Identifier: Apache-2.0 */
/* Which extended attributes EROFS can hold: a number for the prefix, and the rest of the name. */
#ifndef MKROOTFS_EROFS_XATTR_NAME_H
#define MKROOTFS_EROFS_XATTR_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct erofs_xattr_name {
	uint8_t index; /* e_name_index */
	const char *rest;
	size_t rest_len;
};

/* False when the format has no prefix for the name, or the kernel would not take it. */
bool erofs_xattr_split(struct erofs_xattr_name *out, const char *name, size_t len);
/* "user.", "trusted.", ...; NULL for an index that this library does not write. */
const char *erofs_xattr_prefix(uint8_t index);

#endif
