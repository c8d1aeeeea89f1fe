/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UUIDs of what the library writes: derived from content, kind and format number, so that an image
 * in a store says by itself whether this version made it, and from what.
 */
#ifndef MKROOTFS_ROOTFS_IDENTITY_H
#define MKROOTFS_ROOTFS_IDENTITY_H

#include "../base/buf.h"
#include "../base/uuid.h"

/* Grows with every change of the bytes that the same input gives. */
#define IDENTITY_FORMAT 4

int identity_of_layer(uint8_t uuid[UUID_SIZE], const struct digest *diff_id,
		      struct mkrootfs_error *error);
/* Of the fsmeta of layers with these UUIDs, lowest first. */
int identity_of_fsmeta(uint8_t uuid[UUID_SIZE], const uint8_t (*layers)[UUID_SIZE], size_t count,
		       struct mkrootfs_error *error);
/* text: all that its options say, in lines. */
int identity_of_upper(uint8_t uuid[UUID_SIZE], const struct buf *text,
		      struct mkrootfs_error *error);

#endif
