/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A regular file of an open root filesystem: the object behind struct mkrootfs_file.
 *
 *	tree_file_open(&file, tree, "/etc/passwd", error);
 *	tree_file_read(&got, file, offset, buffer, size, error);
 *	tree_file_close(file);
 */
#ifndef MKROOTFS_ROOTFS_TREE_FILE_H
#define MKROOTFS_ROOTFS_TREE_FILE_H

#include "tree_resolve.h"

struct mkrootfs_file {
	const struct mkrootfs_tree *tree; /* borrowed */
	struct erofs_placed_inode inode;
	char *path; /* for messages */
};

/* Follows symbolic links; anything but a regular file is INVALID. */
int tree_file_open(struct mkrootfs_file **out, const struct mkrootfs_tree *tree, const char *path,
		   struct mkrootfs_error *error);
/* Less than size bytes at the file's end only, none from there on. */
int tree_file_read(size_t *got, const struct mkrootfs_file *file, uint64_t offset, void *buffer,
		   size_t size, struct mkrootfs_error *error);
void tree_file_close(struct mkrootfs_file *file);

#endif
