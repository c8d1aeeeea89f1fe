/* SPDX-License-Identifier: Apache-2.0 */
/* An image as a JSON object, for machines. */
#ifndef MKROOTFS_ROOTFS_IMAGE_JSON_H
#define MKROOTFS_ROOTFS_IMAGE_JSON_H

#include "image.h"

int image_json(char **out, const struct mkrootfs_image *image, struct mkrootfs_error *error);

#endif
