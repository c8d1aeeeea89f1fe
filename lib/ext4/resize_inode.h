/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resize inode: it owns the blocks behind each copy of the group descriptors that are kept for
 * the descriptors of groups to come, so that nobody else takes them. It is no file of extents:
 *
 *	inode -> doubly indirect block -> reserved blocks of group 0 -> the same in each copy
 *
 * A reserved block of group 0 is thus an indirect block, until it becomes one of descriptors.
 */
#ifndef MKROOTFS_EXT4_RESIZE_INODE_H
#define MKROOTFS_EXT4_RESIZE_INODE_H

#include "layout.h"

/* time: of access, change, modification and creation. */
void ext4_encode_resize_inode(uint8_t out[EXT4_INODE_SIZE], const struct ext4_layout *layout,
			      int64_t time, uint32_t seed);
void ext4_encode_resize_pointers(uint8_t out[EXT4_BLOCK_SIZE], const struct ext4_layout *layout);
/* The reserved block of group 0 of this index, which is at 1 + descriptor_blocks + index. */
void ext4_encode_reserved_block(uint8_t out[EXT4_BLOCK_SIZE], const struct ext4_layout *layout,
				uint32_t index);

#endif
