/* SPDX-License-Identifier: Apache-2.0 */
#include "resize_inode.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"
#include "encode.h"

#include <string.h>

/* All that the inode's pointers could reach, which is how mke2fs sets it. */
#define SIZE                                                                                \
	(((uint64_t)EXT4_ADDR_PER_BLOCK * EXT4_ADDR_PER_BLOCK + EXT4_ADDR_PER_BLOCK + 12) * \
	 EXT4_BLOCK_SIZE)

static uint32_t copies(const struct ext4_layout *layout)
{
	uint32_t count = 0;

	for (uint32_t group = 1; group < layout->groups; group = ext4_layout_next_super(group))
		count++;
	return count;
}

/* From one of extents to one of pointers; the checksum is made anew. */
static void set_pointers(uint8_t inode[EXT4_INODE_SIZE], const struct ext4_layout *layout,
			 uint32_t seed)
{
	uint8_t start[8] = { 0 }; /* the inode's number, then i_generation 0 */
	uint32_t sum;

	put_le32(inode + 0x20, 0); /* i_flags */
	memset(inode + 0x28, 0, EXT4_I_BLOCK_SIZE);
	put_le32(inode + 0x28 + 4 * EXT4_DIND_BLOCK, (uint32_t)ext4_layout_resize_block(layout));
	put_le16(inode + 0x7C, 0);
	put_le16(inode + 0x82, 0);
	put_le32(start, EXT4_RESIZE_INO);
	sum = crc32c(crc32c(seed, start, sizeof(start)), inode, EXT4_INODE_SIZE);
	put_le16(inode + 0x7C, (uint16_t)sum);
	put_le16(inode + 0x82, (uint16_t)(sum >> 16));
}

void ext4_encode_resize_inode(uint8_t out[EXT4_INODE_SIZE], const struct ext4_layout *layout,
			      int64_t time, uint32_t seed)
{
	const struct ext4_inode inode = {
		.mode = EXT4_S_IFREG | 0600,
		.links = 1,
		.size = SIZE,
		.time = time,
		.blocks = 1 + (uint64_t)layout->reserved_descriptor_blocks * (1 + copies(layout)),
	};

	ext4_encode_inode(out, &inode, seed, EXT4_RESIZE_INO);
	set_pointers(out, layout, seed);
}

void ext4_encode_resize_pointers(uint8_t out[EXT4_BLOCK_SIZE], const struct ext4_layout *layout)
{
	memset(out, 0, EXT4_BLOCK_SIZE);
	for (uint32_t i = 0; i < layout->reserved_descriptor_blocks; i++) {
		uint32_t index = layout->descriptor_blocks + i;

		put_le32(out + 4 * (index % EXT4_ADDR_PER_BLOCK), 1 + index);
	}
}

void ext4_encode_reserved_block(uint8_t out[EXT4_BLOCK_SIZE], const struct ext4_layout *layout,
				uint32_t index)
{
	uint32_t block = 1 + layout->descriptor_blocks + index, group = 1;

	memset(out, 0, EXT4_BLOCK_SIZE);
	for (; group < layout->groups; group = ext4_layout_next_super(group), out += 4)
		put_le32(out, group * EXT4_BLOCKS_PER_GROUP + block);
}
