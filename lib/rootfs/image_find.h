/* SPDX-License-Identifier: Apache-2.0 */
/* One image of a store, by any of its names. */
#ifndef MKROOTFS_ROOTFS_IMAGE_FIND_H
#define MKROOTFS_ROOTFS_IMAGE_FIND_H

#include "../oci/reference.h"
#include "../store/store.h"

/*
 * Which image a name means, without a look at it. reference is that of the name, or one of the
 * image's, or empty; NOT_FOUND when the name means nothing.
 */
int image_name_resolve(struct digest *manifest, char reference[REFERENCE_TEXT_SIZE],
		       const struct store *store, const char *name, struct mkrootfs_error *error);
/* See mkrootfs_image_open; path is the store's folder. */
int image_find(struct mkrootfs_image **image, const char *path, const char *name,
	       struct mkrootfs_error *error);

#endif
