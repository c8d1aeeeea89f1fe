/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whiteout or opaque mark of an archive over what an upper holds and what its image has.
 *
 *	... all other entries of the archive, whose inodes are first_inode and those behind it ...
 *	for each deletion: upper_whiteout(content, &deletion, first_inode, error);
 */
#ifndef MKROOTFS_ROOTFS_UPPER_WHITEOUT_H
#define MKROOTFS_ROOTFS_UPPER_WHITEOUT_H

#include "../tree/deletions.h"
#include "upper_content.h"

/* What the archive brought itself stays; a directory of it then hides what was there. */
int upper_whiteout(struct upper_content *content, const struct deletion *deletion,
		   uint32_t first_inode, struct mkrootfs_error *error);

#endif
