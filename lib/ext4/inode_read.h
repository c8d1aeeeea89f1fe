/* SPDX-License-Identifier: Apache-2.0 */
/* Reserved inodes of an existing filesystem: all are in the first block of group 0's table. */
#ifndef MKROOTFS_EXT4_INODE_READ_H
#define MKROOTFS_EXT4_INODE_READ_H

#include "existing.h"

/* The block of the table that has the reserved inodes; MALFORMED where it cannot be. */
int ext4_inode_block(uint64_t *block, const struct ext4_existing *fs, struct mkrootfs_error *error);
/* An inode, its checksum verified. */
int ext4_inode_read(uint8_t inode[EXT4_INODE_SIZE], const struct ext4_existing *fs, uint32_t number,
		    struct mkrootfs_error *error);
/* The checksum of an inode as it is, whatever it has in the field. */
uint32_t ext4_inode_checksum(const uint8_t inode[EXT4_INODE_SIZE], const struct ext4_existing *fs,
			     uint32_t number);
void ext4_inode_seal(uint8_t inode[EXT4_INODE_SIZE], const struct ext4_existing *fs,
		     uint32_t number);
/* The extents of a file without holes whose tree is in its inode. */
int ext4_inode_extents(struct ext4_extent extents[EXT4_INLINE_EXTENTS], uint32_t *count,
		       const uint8_t inode[EXT4_INODE_SIZE], const struct ext4_existing *fs,
		       struct mkrootfs_error *error);

#endif
