/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How large a filesystem must be for a plan.
 *
 *	ext4_fit(&layout, plan, &options, error);
 */
#ifndef MKROOTFS_EXT4_TREE_FIT_H
#define MKROOTFS_EXT4_TREE_FIT_H

#include "tree_plan.h"

/*
 * The layout of a filesystem of these options, with the plan placed in it. One that is too small is
 * MKROOTFS_ERROR_INVALID and tells the least size in whole MiB.
 */
int ext4_fit(struct ext4_layout *layout, struct ext4_plan *plan, const struct ext4_options *options,
	     struct mkrootfs_error *error);

#endif
