/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_parts.h"

#include <string.h>

#define TABLE_INODES (EXT4_TABLE_BLOCKS * EXT4_INODES_PER_BLOCK)

/* The inodes of the table so far, in whole blocks; they are all of one group. */
static int write_table(struct ext4_tree_writer *w, uint32_t end, struct mkrootfs_error *error)
{
	uint32_t group = w->table_first / w->layout.inodes_per_group;
	uint32_t index = w->table_first % w->layout.inodes_per_group;
	uint32_t blocks =
		(end - w->table_first + EXT4_INODES_PER_BLOCK - 1) / EXT4_INODES_PER_BLOCK;
	struct ext4_group desc;
	int status;

	ext4_layout_group(&desc, &w->layout, group);
	status = image_file_write(
		w->frame.file, (desc.inode_table + index / EXT4_INODES_PER_BLOCK) * EXT4_BLOCK_SIZE,
		w->table, (size_t)blocks * EXT4_BLOCK_SIZE, error);
	memset(w->table, 0, (size_t)blocks * EXT4_BLOCK_SIZE);
	w->table_first = end;
	return status;
}

static int put_number(struct ext4_tree_writer *w, uint32_t number, struct mkrootfs_error *error)
{
	uint8_t *out = w->table + (size_t)(number - 1 - w->table_first) * EXT4_INODE_SIZE;
	uint32_t item;

	if (number == EXT4_ROOT_INO)
		return ext4_encode_item(w, out, 0, error);
	if (number < EXT4_GOOD_OLD_FIRST_INO) {
		ext4_frame_inode(out, &w->frame, number);
		return 0;
	}
	item = number - ext4_plan_number(1) + 1;
	if (ext4_encode_item(w, out, item, error) < 0)
		return ext4_plan_error(w->plan, w->plan->items[item].node, error);
	return 0;
}

int ext4_write_inodes(struct ext4_tree_writer *w, struct mkrootfs_error *error)
{
	uint32_t last = w->frame.inodes;
	int status = 0;

	for (uint32_t number = 1; status == 0 && number <= last; number++) {
		status = put_number(w, number, error);
		if (status == 0 && (number - w->table_first == TABLE_INODES ||
				    number % w->layout.inodes_per_group == 0 || number == last))
			status = write_table(w, number, error);
	}
	return status;
}
