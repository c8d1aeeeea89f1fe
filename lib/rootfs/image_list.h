/* SPDX-License-Identifier: Apache-2.0 */
/* All images of a store. */
#ifndef MKROOTFS_ROOTFS_IMAGE_LIST_H
#define MKROOTFS_ROOTFS_IMAGE_LIST_H

#include <mkrootfs.h>

/* See mkrootfs_image_list; path is the store's folder. */
int image_list(struct mkrootfs_image_list **list, const char *path, struct mkrootfs_error *error);
void image_list_free(struct mkrootfs_image_list *list);

#endif
