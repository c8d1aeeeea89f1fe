/* SPDX-License-Identifier: Apache-2.0 */
/* See mkrootfs_save. */
#ifndef MKROOTFS_ROOTFS_SAVE_IMAGE_H
#define MKROOTFS_ROOTFS_SAVE_IMAGE_H

#include "../io/sink.h"

#include <mkrootfs.h>

int save_image(struct sink *out, const struct mkrootfs_image *image,
	       const struct mkrootfs_save_options *options, struct mkrootfs_error *error);
/* Into a file that is there complete or not at all. */
int save_image_file(const char *path, const struct mkrootfs_image *image,
		    const struct mkrootfs_save_options *options, struct mkrootfs_error *error);

#endif
