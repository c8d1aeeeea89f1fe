/* SPDX-License-Identifier: Apache-2.0 */
#include "encode.h"
#include "space.h"
#include "tree_parts.h"

#include <string.h>

static int write_directory(struct ext4_tree_writer *w, struct ext4_directory *directory,
			   uint32_t item, struct mkrootfs_error *error)
{
	uint8_t block[EXT4_BLOCK_SIZE];
	int status = ext4_plan_directory(directory, w->plan, item, error);

	if (status == 0)
		status = ext4_map_item(w, item, error);
	for (size_t i = 0; status == 0 && i < w->map.count; i++) {
		const struct ext4_extent *extent = &w->map.extents[i];

		for (uint32_t k = 0; status == 0 && k < extent->count; k++) {
			ext4_encode_directory(block, directory, extent->logical + k, w->frame.seed);
			status = ext4_write_block(w, extent->physical + k, block, error);
		}
	}
	return status;
}

static int write_symlink(struct ext4_tree_writer *w, uint32_t item, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = ext4_plan_inode(w->plan, item);
	uint8_t block[EXT4_BLOCK_SIZE] = { 0 };
	int status = ext4_map_item(w, item, error);

	if (status < 0 || w->map.count == 0)
		return status;
	memcpy(block, tree_string(w->plan->tree, inode), (size_t)inode->size);
	return ext4_write_block(w, w->map.extents[0].physical, block, error);
}

/* ---- Blocks of xattrs ---- */

static int write_set(struct ext4_tree_writer *w, uint32_t set, struct mkrootfs_error *error)
{
	const struct ext4_xattr_set *of = &w->plan->sets[set];
	uint64_t next = of->start;
	int status = ext4_xattrs_encode(w->xattrs, &w->plan->tree->xattrs, set, error);

	for (uint32_t done = 0; status == 0 && done < of->users; done += EXT4_XATTR_REFCOUNT_MAX) {
		uint64_t block = ext4_space_take(&w->layout, &next, 1).physical;
		uint32_t users = of->users - done;

		if (users > EXT4_XATTR_REFCOUNT_MAX)
			users = EXT4_XATTR_REFCOUNT_MAX;
		ext4_xattr_block_finish(w->xattrs->block, block, users, w->frame.seed);
		status = ext4_write_block(w, block, w->xattrs->block, error);
	}
	return status;
}

static int write_sets(struct ext4_tree_writer *w, struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t i = 1; status == 0 && i <= w->plan->tree->xattrs.sets.count; i++)
		if (w->plan->sets[i].has_block)
			status = write_set(w, i, error);
	return status;
}

/* ---- All of them ---- */

int ext4_write_names(struct ext4_tree_writer *w, struct mkrootfs_error *error)
{
	struct ext4_directory directory = { 0 };
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < w->plan->count; i++)
		if (tree_is_directory(ext4_plan_inode(w->plan, i)))
			status = write_directory(w, &directory, i, error);
	ext4_directory_free(&directory);
	for (uint32_t i = 0; status == 0 && i < w->plan->count; i++)
		if (S_ISLNK(ext4_plan_inode(w->plan, i)->mode))
			status = write_symlink(w, i, error);
	return status < 0 ? status : write_sets(w, error);
}
