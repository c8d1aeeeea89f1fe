/* SPDX-License-Identifier: Apache-2.0 */
/* The writable side: an ext4 image for overlayfs. */
#ifndef MKROOTFS_ROOTFS_UPPER_H
#define MKROOTFS_ROOTFS_UPPER_H

#include <mkrootfs.h>

/* See mkrootfs_upper and mkrootfs_upper_fd. */
int upper_make(const char *path, const struct mkrootfs_upper_options *options,
	       struct mkrootfs_error *error);
int upper_make_fd(int fd, const struct mkrootfs_upper_options *options,
		  struct mkrootfs_error *error);

#endif
