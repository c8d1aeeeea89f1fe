/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the superblock of an ext4 filesystem that is there is one that this library understands,
 * undamaged, and left in order by whoever used it last. Its geometry is not looked at.
 *
 *	ext4_existing_check(super, error);
 */
#ifndef MKROOTFS_EXT4_EXISTING_CHECK_H
#define MKROOTFS_EXT4_EXISTING_CHECK_H

#include "../base/error.h"
#include "format.h"

/* MALFORMED: no ext4, or a false checksum. UNSUPPORTED: all else, by name. */
int ext4_existing_check(const uint8_t super[EXT4_SUPER_SIZE], struct mkrootfs_error *error);

#endif
