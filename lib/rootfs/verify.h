/* SPDX-License-Identifier: Apache-2.0 */
/* Reading everything and comparing it with what is recorded. See mkrootfs.h. */
#ifndef MKROOTFS_ROOTFS_VERIFY_H
#define MKROOTFS_ROOTFS_VERIFY_H

#include "image.h"
#include "tree_open.h"

int verify_tree_files(struct mkrootfs_verify_result *result, const struct mkrootfs_tree *tree,
		      const struct mkrootfs_verify_options *options, struct mkrootfs_error *error);
int verify_image(struct mkrootfs_verify_result *result, const struct mkrootfs_image *image,
		 const struct mkrootfs_verify_options *options, struct mkrootfs_error *error);
int verify_store(struct mkrootfs_verify_result *result, const char *path, const char *name,
		 const struct mkrootfs_verify_options *options, struct mkrootfs_error *error);

#endif
