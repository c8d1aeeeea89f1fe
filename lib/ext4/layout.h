/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where everything of an ext4 image lies. Pure arithmetic, no I/O.
 *
 *	struct ext4_layout layout;
 *	struct ext4_group group;
 *
 *	if (ext4_layout_plan(&layout, &options, error) < 0) ...
 *	for (uint32_t g = 0; g < layout.groups; g++)
 *		ext4_layout_group(&group, &layout, g);
 *
 * Each flex group keeps the bitmaps and inode tables of all its groups at the start of its first
 * group, so only that one's block bitmap, group 0's, the journal's and the last group's have to be
 * written; a bitmap that is not written costs no disk, as the tables' zeros do not. Group 0 goes
 * on with a few blocks for content, then the journal; what is left everywhere is content's:
 *
 *	superblock | descriptors | reserved for descriptors | block bitmaps | inode bitmaps |
 *	inode tables | resize inode's block | content | journal | content
 */
#ifndef MKROOTFS_EXT4_LAYOUT_H
#define MKROOTFS_EXT4_LAYOUT_H

#include "../base/error.h"
#include "format.h"
#include "options.h"

#include <stdbool.h>

/*
 * Blocks of group 0 between its metadata and the journal, for the first content: the directories of
 * an empty upper, so that nothing of it lies behind the journal.
 */
#define EXT4_SLOT_BLOCKS 4u

struct ext4_extent {
	uint32_t logical; /* block of the file */
	uint32_t count;	  /* blocks, at most EXT_INIT_MAX_LEN */
	uint64_t physical;
};

struct ext4_layout {
	uint64_t size;	 /* of the file, bytes */
	uint64_t blocks; /* of the filesystem: a last group too small to use is left out */
	uint32_t groups;
	uint32_t descriptor_blocks; /* of one copy of the group descriptors */
	/* Behind each copy, for the descriptors of groups to come; 0: there is no resize inode. */
	uint32_t reserved_descriptor_blocks;
	uint32_t inodes_per_group;
	uint32_t table_blocks; /* of one group's inode table */
	uint32_t flex_log;     /* a flex group is 1 << flex_log groups */
	uint32_t journal_blocks;
	uint32_t journal_extents;
	struct ext4_extent journal[EXT4_INLINE_EXTENTS];
};

/* A group descriptor, in host order. */
struct ext4_group {
	uint64_t block_bitmap; /* block numbers */
	uint64_t inode_bitmap;
	uint64_t inode_table;
	uint32_t free_blocks;
	uint32_t free_inodes;
	uint32_t used_directories;
	uint32_t unused_inodes; /* at the end of the table, never used: bg_itable_unused */
	uint16_t flags;		/* EXT4_BG_* */
	uint32_t block_bitmap_checksum;
	uint32_t inode_bitmap_checksum;
};

/* Fails with MKROOTFS_ERROR_INVALID, naming the option and its range. */
int ext4_layout_plan(struct ext4_layout *out, const struct ext4_options *options,
		     struct mkrootfs_error *error);

/* As if no content and no inode but the reserved ones were there; the checksums are zero. */
void ext4_layout_group(struct ext4_group *out, const struct ext4_layout *layout, uint32_t group);
/* Blocks of a group: EXT4_BLOCKS_PER_GROUP but for the last. */
uint32_t ext4_layout_group_blocks(const struct ext4_layout *layout, uint32_t group);
/* Whether the group starts with a superblock and descriptors: RO_COMPAT_SPARSE_SUPER's rule. */
bool ext4_layout_has_super(uint32_t group);
/* The first group behind this one that has. */
uint32_t ext4_layout_next_super(uint32_t group);

/*
 * Blocks in one run from the group's start that are not for all: superblock, descriptors, its flex
 * group's metadata, the slot of group 0. Behind them the journal may be, and then comes content.
 */
uint32_t ext4_layout_group_head(const struct ext4_layout *layout, uint32_t group);

/* The resize inode's doubly indirect block; only where descriptor blocks are reserved. */
uint64_t ext4_layout_resize_block(const struct ext4_layout *layout);

/* Blocks of metadata and journal, which no file can use: s_overhead_clusters. */
uint64_t ext4_layout_overhead(const struct ext4_layout *layout);
uint64_t ext4_layout_free_blocks(const struct ext4_layout *layout);

#endif
