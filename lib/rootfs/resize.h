/* SPDX-License-Identifier: Apache-2.0 */
/* The writable side made larger, while nobody uses it. */
#ifndef MKROOTFS_ROOTFS_RESIZE_H
#define MKROOTFS_ROOTFS_RESIZE_H

#include <mkrootfs.h>

/* See mkrootfs_upper_resize. */
int resize_upper(struct mkrootfs_resized *resized, const char *path, uint64_t size,
		 struct mkrootfs_error *error);

#endif
