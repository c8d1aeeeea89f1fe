/* SPDX-License-Identifier: Apache-2.0 */
#include "../base/bytes.h"
#include "encode.h"
#include "extent_tree.h"
#include "space.h"
#include "tree_parts.h"

#include <stdlib.h>
#include <string.h>

static int write_extent_tree(struct ext4_tree_writer *w, uint8_t i_block[EXT4_I_BLOCK_SIZE],
			     uint32_t number, struct mkrootfs_error *error)
{
	size_t count = w->map.tree_count;
	int status = 0;

	if (count > w->tree_room) {
		free(w->tree_blocks);
		w->tree_blocks = calloc(count, EXT4_BLOCK_SIZE);
		w->tree_room = w->tree_blocks ? count : 0;
		if (!w->tree_blocks)
			return error_no_memory(error);
	}
	ext4_encode_extent_tree(i_block, w->tree_blocks, w->map.tree, w->map.extents, w->map.count,
				ext4_inode_seed(w->frame.seed, number));
	for (size_t i = 0; status == 0 && i < count; i++)
		status = ext4_write_block(w, w->map.tree[i], w->tree_blocks + i * EXT4_BLOCK_SIZE,
					  error);
	return status;
}

static bool has_extents(const struct tree_inode *inode)
{
	return S_ISREG(inode->mode) || S_ISDIR(inode->mode) ||
	       (S_ISLNK(inode->mode) && inode->size >= EXT4_I_BLOCK_SIZE);
}

/* Numbers of devices that fit 16 bits are in the first word, others in the second. */
static void put_device(uint8_t i_block[EXT4_I_BLOCK_SIZE], const struct tree_inode *inode)
{
	uint32_t major = tree_major(inode), minor = tree_minor(inode);

	if (major < 256 && minor < 256)
		put_le32(i_block, major << 8 | minor);
	else
		put_le32(i_block + 4, (minor & 0xff) | major << 8 | (minor & ~0xffu) << 12);
}

static int put_i_block(struct ext4_tree_writer *w, uint8_t i_block[EXT4_I_BLOCK_SIZE],
		       const struct tree_inode *inode, uint32_t number,
		       struct mkrootfs_error *error)
{
	memset(i_block, 0, EXT4_I_BLOCK_SIZE);
	if (has_extents(inode))
		return write_extent_tree(w, i_block, number, error);
	if (S_ISLNK(inode->mode))
		memcpy(i_block, tree_string(w->plan->tree, inode), (size_t)inode->size);
	else if (S_ISCHR(inode->mode) || S_ISBLK(inode->mode))
		put_device(i_block, inode);
	return 0;
}

/* Names in other directories too: "." of its own, ".." of each directory in it. */
static uint32_t directory_links(const struct ext4_plan *plan, uint32_t item)
{
	uint32_t node = plan->items[item].node, links = 2;

	if (item == 0 && plan->items[1].node == 0)
		links++;
	for (uint32_t child = node ? tree_first_child(plan->tree, node) : 0; child;
	     child = tree_next_child(plan->tree, child))
		links += tree_is_directory(tree_inode_of(plan->tree, child));
	return links > EXT4_LINK_MAX ? 1 : links;
}

static void put_time(struct ext4_inode *out, const struct tree_attributes *attributes)
{
	out->time = attributes->mtime;
	out->time_nsec = attributes->mtime_nsec;
	if (out->time >= EXT4_TIME_MIN && out->time <= EXT4_TIME_MAX)
		return;
	out->time = out->time < 0 ? EXT4_TIME_MIN : EXT4_TIME_MAX;
	out->time_nsec = 0;
}

/* Where the next user of a set finds it. */
static uint64_t next_xattr_block(struct ext4_tree_writer *w, struct ext4_xattr_set *set)
{
	if (set->seen++ % EXT4_XATTR_REFCOUNT_MAX == 0)
		set->block = ext4_space_take(&w->layout, &set->start, 1).physical;
	return set->block;
}

static int put_xattrs(struct ext4_tree_writer *w, struct ext4_inode *out, uint32_t set,
		      struct mkrootfs_error *error)
{
	int status;

	if (set == 0)
		return 0;
	status = ext4_xattrs_encode(w->xattrs, &w->plan->tree->xattrs, set, error);
	if (status == 0 && w->xattrs->has_body)
		out->xattr_body = w->xattrs->body;
	if (status == 0 && w->xattrs->has_block) {
		out->xattr_block = next_xattr_block(w, &w->plan->sets[set]);
		out->blocks++;
	}
	return status;
}

int ext4_encode_item(struct ext4_tree_writer *w, uint8_t out[EXT4_INODE_SIZE], uint32_t item,
		     struct mkrootfs_error *error)
{
	const struct tree_inode *inode = ext4_plan_inode(w->plan, item);
	const struct tree_attributes *attributes = tree_attributes_of(w->plan->tree, inode);
	uint32_t number = ext4_plan_number(item), blocks = w->plan->items[item].directory_blocks;
	uint8_t i_block[EXT4_I_BLOCK_SIZE];
	struct ext4_inode encoded = { .mode = inode->mode,
				      .links = (uint16_t)inode->nlink,
				      .uid = attributes->uid,
				      .gid = attributes->gid,
				      .size = inode->size,
				      .i_block = i_block };
	int status = ext4_map_item(w, item, error);

	if (status == 0)
		status = put_i_block(w, i_block, inode, number, error);
	if (status < 0)
		return status;
	encoded.blocks = w->map.blocks + w->map.tree_count;
	encoded.flags = has_extents(inode) ? EXT4_EXTENTS_FL : 0;
	put_time(&encoded, attributes);
	if (S_ISDIR(inode->mode)) {
		encoded.size = (uint64_t)blocks * EXT4_BLOCK_SIZE;
		encoded.links = (uint16_t)directory_links(w->plan, item);
		encoded.flags |= blocks > 1 ? EXT4_INDEX_FL : 0;
		w->directories[(number - 1) / w->layout.inodes_per_group]++;
	}
	if (w->plan->items[item].node == 0)
		encoded.time = w->options.time;
	status = put_xattrs(w, &encoded, attributes->xattrs, error);
	ext4_encode_inode(out, &encoded, w->frame.seed, number);
	return status;
}
