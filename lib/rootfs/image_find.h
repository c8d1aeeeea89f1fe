/* SPDX-License-Identifier: Apache-2.0 */
/* One image of a store, by any of its names. */
#ifndef MKROOTFS_ROOTFS_IMAGE_FIND_H
#define MKROOTFS_ROOTFS_IMAGE_FIND_H

#include <mkrootfs.h>

/* See mkrootfs_image_open; path is the store's folder. */
int image_find(struct mkrootfs_image **image, const char *path, const char *name,
	       struct mkrootfs_error *error);

#endif
