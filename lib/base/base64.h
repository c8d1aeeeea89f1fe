/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base64 of RFC 4648, section 4.
 *
 *	base64_append(&text, data, len, error);
 *	len = strlen(text);
 *	if (!base64_decode(text, &len)) ...		now text[0..len) is the data
 */
#ifndef MKROOTFS_BASE_BASE64_H
#define MKROOTFS_BASE_BASE64_H

#include "buf.h"

#include <stdbool.h>

/* Appends the padded text of data. */
int base64_append(struct buf *out, const void *data, size_t len, struct mkrootfs_error *error);
/* Decodes in place. The padding may be missing; any other byte that does not belong is refused. */
bool base64_decode(char *text, size_t *len);

#endif
