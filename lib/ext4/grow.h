/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes an ext4 filesystem larger while nobody uses it.
 *
 *	struct ext4_disk disk = { .fd = fd };
 *	ext4_grow(&disk, &grown, size, error);
 *
 * What is new is written first and does not show. Then one step makes it part of the filesystem:
 * the superblock alone where that is enough, else a transaction in the journal. At last the copies
 * of superblock and descriptors. So a crash leaves the old or the new filesystem; where it was in
 * the middle of a transaction the journal is replayed by the next mount, or by e2fsck.
 *
 * Descriptors go where they can: behind those that there are, in the resize inode's reserve, or
 * into their own groups (meta_bg), as in the kernel. The new inode tables are holes.
 */
#ifndef MKROOTFS_EXT4_GROW_H
#define MKROOTFS_EXT4_GROW_H

#include "disk.h"

struct ext4_grown {
	uint64_t before, after; /* bytes of the filesystem */
};

/*
 * size: bytes that the file gets. A last group that would be too small is left out, as by
 * ext4_write_upper. INVALID when the filesystem is larger than size: it is never made smaller.
 */
int ext4_grow(const struct ext4_disk *disk, struct ext4_grown *grown, uint64_t size,
	      struct mkrootfs_error *error);

#endif
