/* SPDX-License-Identifier: Apache-2.0 */
/* The allocation bitmaps of block groups, one block each: bit n is bit n % 8 of byte n / 8. */
#ifndef MKROOTFS_EXT4_BITMAP_H
#define MKROOTFS_EXT4_BITMAP_H

#include "layout.h"

/*
 * The block bitmap of a group, with the content that ext4_space_take gave away before content_end;
 * bits past the group's end are set.
 */
void ext4_bitmap_blocks(uint8_t bitmap[EXT4_BLOCK_SIZE], const struct ext4_layout *layout,
			uint32_t group, uint64_t content_end);
/* The inode bitmap of a group whose first inodes are in use; bits past its end are set. */
void ext4_bitmap_inodes(uint8_t bitmap[EXT4_BLOCK_SIZE], const struct ext4_layout *layout,
			uint32_t used);

#endif
