/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a layer image records what only the merge needs to know, as extended attributes:
 *
 *	trusted.overlay.opaque = y	the directory hides what lower layers have in it: what
 *					overlayfs itself reads
 *	trusted.mkrootfs.implied = y	the layer did not list this directory, so its attributes are
 *					those of the lower one, if there is one
 *	trusted.mkrootfs.hardlink = PATH
 *					this empty file stands for another name of a lower layer's
 *					file; its mode, owner and times are the link's
 */
#ifndef MKROOTFS_EROFS_MARKS_H
#define MKROOTFS_EROFS_MARKS_H

#include "../tree/tree.h"

/* Turns the flags of a sealed tree's inodes into xattrs. */
int erofs_marks_add(struct tree *tree, struct mkrootfs_error *error);
/* The reverse: takes such an xattr away and sets the flag. */
int erofs_marks_take(struct tree *tree, struct mkrootfs_error *error);

/* Names that an image must not bring along: they would steer the guest's overlay or the merge. */
bool erofs_mark_is_private(const char *name, size_t len);

#endif
