/* SPDX-License-Identifier: Apache-2.0 */
/* The resize inode of a filesystem that grows. Private to ext4_grow. */
#ifndef MKROOTFS_EXT4_GROW_RESERVE_H
#define MKROOTFS_EXT4_GROW_RESERVE_H

#include "grow_plan.h"
#include "transaction.h"

/*
 * Takes blocks out of the reserve, and the copies in new groups into it; or gives the inode up.
 * MALFORMED when what it has is not what it must have.
 */
int ext4_grow_reserve(struct ext4_transaction *t, struct ext4_grow_plan *plan,
		      const struct ext4_existing *old, struct mkrootfs_error *error);

#endif
