/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_plan_parts.h"

#include <stdlib.h>
#include <string.h>

static const struct tree_inode made_lost_found = { .mode = S_IFDIR | 0700, .nlink = 2 };

uint32_t ext4_plan_number(uint32_t item)
{
	return item == 0 ? EXT4_ROOT_INO : EXT4_GOOD_OLD_FIRST_INO - EXT4_LOST_FOUND_ITEM + item;
}

uint32_t ext4_plan_inodes(const struct ext4_plan *plan)
{
	return ext4_plan_number(plan->count - 1);
}

const struct tree_inode *ext4_plan_inode(const struct ext4_plan *plan, uint32_t item)
{
	uint32_t node = plan->items[item].node;

	return node ? tree_inode_of(plan->tree, node) : &made_lost_found;
}

int ext4_plan_error(const struct ext4_plan *plan, uint32_t node, struct mkrootfs_error *error)
{
	char path[400];

	tree_path(plan->tree, node, path, sizeof(path));
	return error_prefix(error, "file '/%s': ", path);
}

/* ---- Numbers ---- */

static int check_inode(const struct tree_inode *inode, struct mkrootfs_error *error)
{
	if (S_ISREG(inode->mode) && (inode->flags & TREE_LINK))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "a layer's link to a file of a lower layer");
	if (!S_ISDIR(inode->mode) && inode->nlink > EXT4_LINK_MAX)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "it has %u names: ext4 has at most %u of one file", inode->nlink,
				 EXT4_LINK_MAX);
	if (S_ISREG(inode->mode) && inode->size / EXT4_BLOCK_SIZE >= EXT4_BLOCKS_MAX)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "a file of %llu bytes: ext4 has no larger ones than 16 TiB",
				 (unsigned long long)inode->size);
	if (S_ISLNK(inode->mode) && (inode->size == 0 || inode->size >= EXT4_BLOCK_SIZE))
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "a symbolic link of %llu bytes: ext4 has them of 1 to 4095",
				 (unsigned long long)inode->size);
	return 0;
}

static void note_time(struct ext4_plan *plan, uint32_t node, int64_t mtime)
{
	if (mtime >= EXT4_TIME_MIN && mtime <= EXT4_TIME_MAX)
		return;
	if (plan->clamped++ == 0)
		plan->clamped_node = node;
}

static int number(struct ext4_plan *plan, uint32_t item, uint32_t node,
		  struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(plan->tree, node);
	const struct tree_attributes *attributes = tree_attributes_of(plan->tree, inode);

	if (check_inode(inode, error) < 0)
		return ext4_plan_error(plan, node, error);
	note_time(plan, node, attributes->mtime);
	plan->items[item].node = node;
	plan->numbers[plan->tree->nodes[node].inode] = ext4_plan_number(item);
	plan->sets[attributes->xattrs].users++;
	return 0;
}

/* A directory of that name in the root is the one that e2fsck looks for. */
static int number_lost_found(struct ext4_plan *plan, struct mkrootfs_error *error)
{
	uint32_t node =
		tree_lookup(plan->tree, TREE_ROOT, EXT4_LOST_FOUND, strlen(EXT4_LOST_FOUND));

	if (!node)
		return 0;
	if (!tree_is_directory(tree_inode_of(plan->tree, node)))
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "'/" EXT4_LOST_FOUND "' is no directory: on ext4 it must be one");
	return number(plan, EXT4_LOST_FOUND_ITEM, node, error);
}

static int number_all(struct ext4_plan *plan, struct mkrootfs_error *error)
{
	const struct tree *tree = plan->tree;
	int status = number(plan, 0, TREE_ROOT, error);

	if (status == 0)
		status = number_lost_found(plan, error);
	plan->count = EXT4_LOST_FOUND_ITEM + 1;
	for (uint32_t node = tree_walk(tree, TREE_ROOT); status == 0 && node;
	     node = tree_walk(tree, node)) {
		if (plan->numbers[tree->nodes[node].inode])
			continue;
		if (plan->count > UINT32_MAX - EXT4_GOOD_OLD_FIRST_INO)
			return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
					 "more files than ext4 has inodes");
		status = number(plan, plan->count++, node, error);
	}
	return status;
}

/* ---- Xattrs ---- */

static uint32_t xattr_blocks(const struct ext4_xattr_set *set)
{
	if (!set->has_block)
		return 0;
	return (set->users + EXT4_XATTR_REFCOUNT_MAX - 1) / EXT4_XATTR_REFCOUNT_MAX;
}

static uint32_t set_of(const struct ext4_plan *plan, uint32_t item)
{
	return tree_attributes_of(plan->tree, ext4_plan_inode(plan, item))->xattrs;
}

static int measure_set(struct ext4_plan *plan, struct ext4_xattrs *xattrs, uint32_t item,
		       struct mkrootfs_error *error)
{
	uint32_t set = set_of(plan, item);

	if (ext4_xattrs_encode(xattrs, &plan->tree->xattrs, set, error) < 0)
		return ext4_plan_error(plan, plan->items[item].node, error);
	if (xattrs->has_block && !plan->sets[set].has_block) {
		plan->sets[set].has_block = true;
		plan->blocks += xattr_blocks(&plan->sets[set]);
	}
	return 0;
}

static int measure_xattrs(struct ext4_plan *plan, struct mkrootfs_error *error)
{
	struct ext4_xattrs *xattrs;
	int status = ext4_xattrs_create(&xattrs, error);

	for (uint32_t i = 0; status == 0 && i < plan->count; i++)
		if (set_of(plan, i))
			status = measure_set(plan, xattrs, i, error);
	ext4_xattrs_free(xattrs);
	return status;
}

/* ---- The whole ---- */

static int fill(struct ext4_plan *plan, struct mkrootfs_error *error)
{
	const struct tree *tree = plan->tree;
	int status = 0;

	plan->numbers = calloc(tree->inode_count, sizeof(*plan->numbers));
	plan->items = calloc((size_t)tree->inode_count + 2, sizeof(*plan->items));
	plan->sets = calloc((size_t)tree->xattrs.sets.count + 1, sizeof(*plan->sets));
	if (!plan->numbers || !plan->items || !plan->sets)
		return error_no_memory(error);
	status = number_all(plan, error);
	if (status == 0)
		status = ext4_plan_measure_directories(plan, error);
	if (status == 0)
		status = measure_xattrs(plan, error);
	return status < 0 ? status : ext4_plan_measure_files(plan, error);
}

int ext4_plan_create(struct ext4_plan **out, const struct tree *tree, const uint8_t hash_seed[16],
		     struct mkrootfs_error *error)
{
	struct ext4_plan *plan = calloc(1, sizeof(*plan));
	int status;

	*out = NULL;
	if (!plan)
		return error_no_memory(error);
	plan->tree = tree;
	memcpy(plan->hash_seed, hash_seed, sizeof(plan->hash_seed));
	status = fill(plan, error);
	if (status < 0) {
		ext4_plan_free(plan);
		return status;
	}
	*out = plan;
	return 0;
}

void ext4_plan_free(struct ext4_plan *plan)
{
	if (!plan)
		return;
	free(plan->numbers);
	free(plan->items);
	free(plan->files);
	free(plan->sets);
	free(plan);
}
