/* SPDX-License-Identifier: Apache-2.0 */
/* The writable side: an ext4 image for overlayfs. */
#ifndef MKROOTFS_ROOTFS_UPPER_H
#define MKROOTFS_ROOTFS_UPPER_H

#include "../base/uuid.h"
#include "../ext4/options.h"

/* See mkrootfs_upper and mkrootfs_upper_fd. */
int upper_make(const char *path, const struct mkrootfs_upper_options *options,
	       struct mkrootfs_error *error);
int upper_make_fd(int fd, const struct mkrootfs_upper_options *options,
		  struct mkrootfs_error *error);

/*
 * What an ext4 image is asked to be. Without a UUID of the caller's it is derived from the options,
 * and from what the image will hold: content is a UUID of that, or NULL.
 */
int upper_ext4_options(struct ext4_options *out, const struct mkrootfs_upper_options *options,
		       const uint8_t content[UUID_SIZE], struct mkrootfs_error *error);

#endif
