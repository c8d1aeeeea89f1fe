/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The normal forms of a layer's names, one after the other: the folder of a name is mostly that of
 * the name before, and was normalised with it.
 *
 *	struct entry_path path = ENTRY_PATH_INIT;
 *	entry_path_set(&path, entry->path, entry->path_len, max_depth, error);
 *	use(path.normal.data);
 *	entry_path_free(&path);
 */
#ifndef MKROOTFS_ROOTFS_ENTRY_PATH_H
#define MKROOTFS_ROOTFS_ENTRY_PATH_H

#include "../base/path.h"

struct entry_path {
	struct buf normal;
	struct buf folder;  /* of the name as it came, up to its last slash; empty: unknown */
	size_t normal_base; /* bytes of normal in front of the last component */
};

#define ENTRY_PATH_INIT \
	((struct entry_path){ .normal = BUF_INIT(1u << 20), .folder = BUF_INIT(1u << 20) })

/* See path_normalise; max_depth must be the same in all calls. */
int entry_path_set(struct entry_path *path, const char *name, size_t len, uint32_t max_depth,
		   struct mkrootfs_error *error);
void entry_path_free(struct entry_path *path);

#endif
