/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an image folder's files are those that this version makes of the image's layers. */
#ifndef MKROOTFS_ROOTFS_IMAGE_CHECK_H
#define MKROOTFS_ROOTFS_IMAGE_CHECK_H

#include "image.h"

/*
 * Compares identities, sizes and the descriptor's text; file contents are not read. Sets disk_size.
 * MALFORMED says what is wrong.
 */
int image_check(struct mkrootfs_image *image, struct mkrootfs_error *error);

#endif
