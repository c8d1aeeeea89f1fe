/* SPDX-License-Identifier: Apache-2.0 */
/* A root filesystem as one writable ext4 image. */
#ifndef MKROOTFS_ROOTFS_BUILD_EXT4_H
#define MKROOTFS_ROOTFS_BUILD_EXT4_H

#include "tree_open.h"

/* See mkrootfs_tree_build_ext4. */
int build_ext4(const char *path, const struct mkrootfs_tree *tree,
	       const struct mkrootfs_build_options *options, struct mkrootfs_error *error);

#endif
