/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor that stitches an image's files into one disk. */
#ifndef MKROOTFS_ROOTFS_DISK_H
#define MKROOTFS_ROOTFS_DISK_H

#include "../base/buf.h"

/*
 * Appends to text the descriptor of a disk of the files names[0..count) in folder. Their sizes must
 * be multiples of 512 bytes. *size takes the disk's bytes.
 */
int disk_describe(struct buf *text, uint64_t *size, const char *folder, const char *const *names,
		  size_t count, struct mkrootfs_error *error);

#endif
