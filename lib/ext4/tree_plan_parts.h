/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of making a plan, for its own files: each adds what it needs to plan->blocks. All
 * inodes have their numbers by then.
 */
#ifndef MKROOTFS_EXT4_TREE_PLAN_PARTS_H
#define MKROOTFS_EXT4_TREE_PLAN_PARTS_H

#include "tree_plan.h"

#define EXT4_LOST_FOUND "lost+found"
#define EXT4_LOST_FOUND_ITEM 1u

int ext4_plan_measure_directories(struct ext4_plan *plan, struct mkrootfs_error *error);
/* Also the order in which file data are placed, and the blocks of long symlinks. */
int ext4_plan_measure_files(struct ext4_plan *plan, struct mkrootfs_error *error);

#endif
