/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_plan_parts.h"

#include <string.h>

static uint8_t type_of(const struct tree_inode *inode)
{
	switch (inode->mode & S_IFMT) {
	case S_IFREG:
		return EXT4_FT_REG_FILE;
	case S_IFDIR:
		return EXT4_FT_DIR;
	case S_IFCHR:
		return EXT4_FT_CHRDEV;
	case S_IFBLK:
		return EXT4_FT_BLKDEV;
	case S_IFIFO:
		return EXT4_FT_FIFO;
	case S_IFSOCK:
		return EXT4_FT_SOCK;
	default:
		return EXT4_FT_SYMLINK;
	}
}

static int add_names(struct ext4_directory *out, const struct ext4_plan *plan, uint32_t node,
		     struct mkrootfs_error *error)
{
	const struct tree *tree = plan->tree;
	int status = 0;

	for (uint32_t child = tree_first_child(tree, node); status == 0 && child;
	     child = tree_next_child(tree, child)) {
		size_t len;
		const char *name = tree_name(tree, child, &len);

		status = ext4_directory_add(out, plan->numbers[tree->nodes[child].inode],
					    type_of(tree_inode_of(tree, child)), name, len, error);
	}
	return status;
}

int ext4_plan_directory(struct ext4_directory *out, const struct ext4_plan *plan, uint32_t item,
			struct mkrootfs_error *error)
{
	uint32_t node = plan->items[item].node;
	int status = 0;

	ext4_directory_clear(out);
	out->self = ext4_plan_number(item);
	out->parent = EXT4_ROOT_INO;
	if (item > EXT4_LOST_FOUND_ITEM) {
		uint32_t parent = plan->tree->nodes[node].parent;

		out->parent = plan->numbers[plan->tree->nodes[parent].inode];
	}
	if (item == 0 && plan->items[EXT4_LOST_FOUND_ITEM].node == 0)
		status =
			ext4_directory_add(out, ext4_plan_number(EXT4_LOST_FOUND_ITEM), EXT4_FT_DIR,
					   EXT4_LOST_FOUND, strlen(EXT4_LOST_FOUND), error);
	if (status == 0 && node)
		status = add_names(out, plan, node, error);
	if (status == 0)
		status = ext4_directory_plan(out, plan->hash_seed, error);
	return status < 0 && node ? ext4_plan_error(plan, node, error) : status;
}

int ext4_plan_measure_directories(struct ext4_plan *plan, struct mkrootfs_error *error)
{
	struct ext4_directory directory = { 0 };
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < plan->count; i++) {
		if (!tree_is_directory(ext4_plan_inode(plan, i)))
			continue;
		status = ext4_plan_directory(&directory, plan, i, error);
		plan->items[i].directory_blocks = directory.blocks;
		plan->blocks += directory.blocks;
	}
	ext4_directory_free(&directory);
	return status;
}
