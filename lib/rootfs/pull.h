/* SPDX-License-Identifier: Apache-2.0 */
/* The product's story: resolve, convert what is missing, merge, publish. */
#ifndef MKROOTFS_ROOTFS_PULL_H
#define MKROOTFS_ROOTFS_PULL_H

#include <mkrootfs.h>

/* See mkrootfs_pull; options are complete. */
int pull(struct mkrootfs_image **image, const struct mkrootfs_pull_options *options,
	 struct mkrootfs_error *error);

#endif
