/* SPDX-License-Identifier: Apache-2.0 */
/* An export to a file that is there complete or not at all. */
#ifndef MKROOTFS_ROOTFS_EXPORT_FILE_H
#define MKROOTFS_ROOTFS_EXPORT_FILE_H

#include "events.h"
#include "tree_open.h"

int tree_export_file(const struct mkrootfs_tree *tree, const char *path, int replace,
		     struct events *events, struct mkrootfs_error *error);

#endif
