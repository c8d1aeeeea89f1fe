/* SPDX-License-Identifier: Apache-2.0 */
/* The allocation bitmaps of block groups, one block each: bit n is bit n % 8 of byte n / 8. */
#ifndef MKROOTFS_EXT4_BITMAP_H
#define MKROOTFS_EXT4_BITMAP_H

#include "layout.h"

/* The block bitmap of a group; bits past the group's end are set. */
void ext4_bitmap_blocks(uint8_t bitmap[EXT4_BLOCK_SIZE], const struct ext4_layout *layout,
			uint32_t group);
/* The inode bitmap of group 0, the only group with inodes in use; bits past its end are set. */
void ext4_bitmap_inodes(uint8_t bitmap[EXT4_BLOCK_SIZE], const struct ext4_layout *layout);

#endif
