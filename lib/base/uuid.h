/* SPDX-License-Identifier: Apache-2.0 */
/* UUIDs that are derived from content, so that the same input gives the same bytes. */
#ifndef MKROOTFS_BASE_UUID_H
#define MKROOTFS_BASE_UUID_H

#include "digest.h"

#define UUID_SIZE 16

/* A UUID of version 8 (RFC 9562: vendor-specific) from the first bytes of a digest. */
void uuid_from_digest(uint8_t uuid[UUID_SIZE], const struct digest *digest);
/* "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", hex of either case; all zeros is refused. */
int uuid_parse(uint8_t uuid[UUID_SIZE], const char *text, struct mkrootfs_error *error);

#endif
