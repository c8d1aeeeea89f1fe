/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a tree to inodes and blocks: which number each inode has, what its directories and xattrs
 * take, and then, in a layout, where all of it is.
 *
 *	struct ext4_plan *plan;
 *
 *	ext4_plan_create(&plan, tree, hash_seed, error);
 *	if (ext4_plan_place(plan, &layout, error) == 0 && plan->full) ...	too small
 *	ext4_plan_free(plan);
 *
 * Inodes are numbered as a walk over the tree comes to them, behind lost+found. Blocks come in this
 * order: directories, long symlinks, blocks of xattrs, and file data by address.
 */
#ifndef MKROOTFS_EXT4_TREE_PLAN_H
#define MKROOTFS_EXT4_TREE_PLAN_H

#include "../tree/tree.h"
#include "directory.h"
#include "file_map.h"
#include "xattrs.h"

/* An inode: item 0 is the root, 1 lost+found. */
struct ext4_item {
	uint32_t node; /* its first name; 0: a lost+found that the tree has not */
	uint32_t directory_blocks;
	uint64_t start; /* the block from which on it is mapped */
};

struct ext4_xattr_set {
	uint32_t users; /* inodes */
	bool has_block; /* one for each EXT4_XATTR_REFCOUNT_MAX users */
	uint64_t start; /* as that of items */
	/* While inodes are written: users so far, and the block of the last. */
	uint32_t seen;
	uint64_t block;
};

struct ext4_plan {
	const struct tree *tree;
	uint8_t hash_seed[16];
	uint32_t *numbers; /* inode of ext4, by the tree's; 0: it has no name */
	struct ext4_item *items;
	uint32_t count;	 /* of items */
	uint32_t *files; /* items with data, in the order of these */
	uint32_t file_count;
	struct ext4_xattr_set *sets; /* by the pool's number */
	uint64_t data;		     /* bytes of file data */
	uint64_t blocks;	     /* of all but extent trees */
	uint64_t clamped;	     /* inodes with a time that ext4 cannot hold; and the first: */
	uint32_t clamped_node;
	uint64_t end; /* the block behind all that was placed */
	bool full;    /* it was too much */
};

int ext4_plan_create(struct ext4_plan **out, const struct tree *tree, const uint8_t hash_seed[16],
		     struct mkrootfs_error *error);
void ext4_plan_free(struct ext4_plan *plan);
/* May be called again with another layout. */
int ext4_plan_place(struct ext4_plan *plan, const struct ext4_layout *layout,
		    struct mkrootfs_error *error);

/* The highest inode in use. */
uint32_t ext4_plan_inodes(const struct ext4_plan *plan);
uint32_t ext4_plan_number(uint32_t item);
/* Attributes of an item; those of a lost+found that the tree has not are lost_found's. */
const struct tree_inode *ext4_plan_inode(const struct ext4_plan *plan, uint32_t item);
/* The names of a directory, and its blocks, in *out, which was cleared. */
int ext4_plan_directory(struct ext4_directory *out, const struct ext4_plan *plan, uint32_t item,
			struct mkrootfs_error *error);
/* Puts "file '/path': " before the message. */
int ext4_plan_error(const struct ext4_plan *plan, uint32_t node, struct mkrootfs_error *error);

#endif
