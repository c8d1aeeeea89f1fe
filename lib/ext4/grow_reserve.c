/* SPDX-License-Identifier: Apache-2.0 */
#include "grow_reserve.h"

#include "../base/bytes.h"
#include "bits.h"
#include "encode.h"
#include "inode_read.h"

#include <inttypes.h>
#include <string.h>

static int malformed(struct mkrootfs_error *error, const char *what)
{
	error_set(error, MKROOTFS_ERROR_MALFORMED, "ext4 resize inode: %s", what);
	return error_advise(error, "e2fsck(8) may mend it");
}

static uint32_t copies(uint32_t groups)
{
	uint32_t count = 0;

	for (uint32_t group = 1; group < groups; group = ext4_layout_next_super(group))
		count++;
	return count;
}

/* What a reserved block of group 0 holds: where its copies are. */
static void list_copies(uint8_t out[EXT4_BLOCK_SIZE], uint32_t groups, uint32_t block)
{
	memset(out, 0, EXT4_BLOCK_SIZE);
	for (uint32_t group = 1; group < groups; group = ext4_layout_next_super(group), out += 4)
		put_le32(out, group * EXT4_BLOCKS_PER_GROUP + block);
}

/* The reserved blocks that stay: their lists grow. Those that go become descriptors elsewhere. */
static int update_lists(struct ext4_transaction *t, const struct ext4_grow_plan *plan,
			const struct ext4_existing *old, uint8_t *pointers,
			struct mkrootfs_error *error)
{
	uint32_t first = old->base_blocks - old->reserved_blocks;
	uint8_t expected[EXT4_BLOCK_SIZE], found[EXT4_BLOCK_SIZE], *list;

	for (uint32_t index = first; index < old->base_blocks; index++) {
		uint8_t *pointer = pointers + 4 * (index % EXT4_ADDR_PER_BLOCK);

		list_copies(expected, old->groups, 1 + index);
		if (get_le32(pointer) != 1 + index)
			return malformed(error, "it does not own the reserved blocks");
		if (ext4_disk_read(t->fs->disk, 1 + index, found, 1, error) < 0)
			return error->status;
		if (memcmp(found, expected, sizeof(found)) != 0)
			return malformed(error, "it does not own the reserved blocks' copies");
		if (index < first + plan->used_reserve) {
			put_le32(pointer, 0);
			continue;
		}
		if (ext4_transaction_new(t, &list, 1 + index, true, error) < 0)
			return error->status;
		list_copies(list, plan->now.groups, 1 + index);
	}
	return 0;
}

/* The one block that the inode has for itself is free again. */
static int free_pointers(struct ext4_transaction *t, struct ext4_grow_plan *plan, uint64_t block,
			 struct mkrootfs_error *error)
{
	uint8_t *desc = ext4_existing_group(&plan->now, 0), *bitmap;
	uint64_t at = get_le32(desc) | (uint64_t)get_le32(desc + 0x20) << 32;
	uint32_t sum;

	if (block >= EXT4_BLOCKS_PER_GROUP || at <= plan->now.base_blocks || at >= t->fs->blocks)
		return malformed(error, "its pointers are not in the first block group");
	if (ext4_transaction_read(t, &bitmap, at, true, error) < 0)
		return error->status;
	sum = ext4_block_bitmap_checksum(bitmap, t->fs->seed);
	if (sum != (get_le16(desc + 0x18) | (uint32_t)get_le16(desc + 0x38) << 16) ||
	    !ext4_bits_has(bitmap, (uint32_t)block))
		return malformed(error, "the block bitmap of its group is damaged");
	ext4_bits_clear(bitmap, (uint32_t)block, (uint32_t)block + 1);
	ext4_existing_freed(&plan->now, 0, bitmap, 1);
	return 0;
}

int ext4_grow_reserve(struct ext4_transaction *t, struct ext4_grow_plan *plan,
		      const struct ext4_existing *old, struct mkrootfs_error *error)
{
	uint8_t *table, *inode, *pointers, checked[EXT4_INODE_SIZE];
	uint64_t block,
		kept = 1 + (uint64_t)plan->now.reserved_blocks * (1 + copies(plan->now.groups));
	uint32_t pointers_block;

	if (!old->resize_inode)
		return 0;
	if (ext4_inode_read(checked, old, EXT4_RESIZE_INO, error) < 0 ||
	    ext4_inode_block(&block, old, error) < 0 ||
	    ext4_transaction_read(t, &table, block, true, error) < 0)
		return error_prefix(error, "ext4 resize inode: ");
	inode = table + (EXT4_RESIZE_INO - 1) * EXT4_INODE_SIZE;
	pointers_block = get_le32(inode + 0x28 + 4 * EXT4_DIND_BLOCK);
	if (pointers_block <= old->base_blocks || pointers_block >= old->blocks ||
	    (get_le32(inode + 0x20) & EXT4_EXTENTS_FL))
		return malformed(error, "it has no block of pointers");
	if (ext4_transaction_read(t, &pointers, pointers_block, true, error) < 0 ||
	    update_lists(t, plan, old, pointers, error) < 0)
		return error->status;
	if (plan->drops_resize_inode) {
		memset(inode, 0, EXT4_INODE_SIZE);
		return free_pointers(t, plan, pointers_block, error);
	}
	put_le32(inode + 0x1C, (uint32_t)(kept * EXT4_SECTORS_PER_BLOCK)); /* i_blocks */
	ext4_inode_seal(inode, old, EXT4_RESIZE_INO);
	return 0;
}
