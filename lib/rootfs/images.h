/* SPDX-License-Identifier: Apache-2.0 */
/* Finding images in a store. */
#ifndef MKROOTFS_ROOTFS_IMAGES_H
#define MKROOTFS_ROOTFS_IMAGES_H

#include <mkrootfs.h>

/* See mkrootfs_image_open and mkrootfs_image_list. */
int images_open(struct mkrootfs_image **image, const char *store, const char *name,
		struct mkrootfs_error *error);
int images_list(struct mkrootfs_image_list **list, const char *store, struct mkrootfs_error *error);
void images_list_free(struct mkrootfs_image_list *list);

#endif
