/* SPDX-License-Identifier: Apache-2.0 */
#include "frame.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"
#include "bitmap.h"
#include "encode.h"
#include "journal.h"
#include "resize_inode.h"
#include "space.h"

#include <stdlib.h>
#include <string.h>

struct heads {
	const struct ext4_frame *frame;
	uint64_t free_blocks; /* sum over the descriptors so far */
	uint8_t *bytes;	      /* a block for the superblock, then the descriptors */
	size_t size;
};

void ext4_hash_seed(uint8_t seed[16], const uint8_t uuid[16])
{
	uint32_t start = crc32c(UINT32_MAX, uuid, 16);

	for (uint8_t word = 0; word < 4; word++)
		put_le32(seed + 4 * word, crc32c(start, &word, 1));
}

void ext4_frame_inode(uint8_t out[EXT4_INODE_SIZE], const struct ext4_frame *frame, uint32_t number)
{
	const struct ext4_layout *layout = frame->layout;
	const struct ext4_inode journal = {
		.mode = EXT4_S_IFREG | 0600,
		.links = 1,
		.size = (uint64_t)layout->journal_blocks * EXT4_BLOCK_SIZE,
		.time = frame->options->time,
		.blocks = layout->journal_blocks,
		.extents = layout->journal,
		.extent_count = layout->journal_extents,
	};

	memset(out, 0, EXT4_INODE_SIZE);
	if (number == EXT4_JOURNAL_INO)
		ext4_encode_inode(out, &journal, frame->seed, EXT4_JOURNAL_INO);
	if (number == EXT4_RESIZE_INO && layout->reserved_descriptor_blocks)
		ext4_encode_resize_inode(out, layout, frame->options->time, frame->seed);
}

/* ---- Groups ---- */

/* Inodes of a group that are in use: the first ones. */
static uint32_t inodes_in(const struct ext4_frame *frame, uint32_t group)
{
	uint64_t before = (uint64_t)group * frame->layout->inodes_per_group;

	if (before >= frame->inodes)
		return 0;
	if (frame->inodes - before > frame->layout->inodes_per_group)
		return frame->layout->inodes_per_group;
	return frame->inodes - (uint32_t)before;
}

void ext4_frame_group(struct ext4_group *out, const struct ext4_frame *frame, uint32_t group)
{
	uint32_t content = ext4_space_taken(frame->layout, frame->content_end, group);
	uint32_t inodes = inodes_in(frame, group);

	ext4_layout_group(out, frame->layout, group);
	out->free_blocks -= content;
	out->free_inodes = frame->layout->inodes_per_group - inodes;
	out->unused_inodes = out->free_inodes;
	out->used_directories = inodes ? frame->directories[group] : 0;
	if (inodes)
		out->flags &= (uint16_t)~EXT4_BG_INODE_UNINIT;
	if (content)
		out->flags &= (uint16_t)~EXT4_BG_BLOCK_UNINIT;
}

static int write_block(const struct ext4_frame *frame, uint64_t number, const uint8_t *block,
		       struct mkrootfs_error *error)
{
	return image_file_write(frame->file, number * EXT4_BLOCK_SIZE, block, EXT4_BLOCK_SIZE,
				error);
}

static int write_bitmaps(const struct ext4_frame *frame, struct ext4_group *desc, uint32_t group,
			 struct mkrootfs_error *error)
{
	const struct ext4_layout *layout = frame->layout;
	uint8_t block[EXT4_BLOCK_SIZE];
	int status = 0;

	if (!(desc->flags & EXT4_BG_BLOCK_UNINIT)) {
		ext4_bitmap_blocks(block, layout, group, frame->content_end);
		desc->block_bitmap_checksum = ext4_block_bitmap_checksum(block, frame->seed);
		status = write_block(frame, desc->block_bitmap, block, error);
	}
	if (status == 0 && !(desc->flags & EXT4_BG_INODE_UNINIT)) {
		ext4_bitmap_inodes(block, layout, inodes_in(frame, group));
		desc->inode_bitmap_checksum =
			ext4_inode_bitmap_checksum(block, frame->seed, layout->inodes_per_group);
		status = write_block(frame, desc->inode_bitmap, block, error);
	}
	return status;
}

static int write_groups(struct heads *heads, struct mkrootfs_error *error)
{
	uint8_t *descriptors = heads->bytes + EXT4_BLOCK_SIZE;

	for (uint32_t group = 0; group < heads->frame->layout->groups; group++) {
		struct ext4_group desc;

		ext4_frame_group(&desc, heads->frame, group);
		if (write_bitmaps(heads->frame, &desc, group, error) < 0)
			return error->status;
		ext4_encode_group(descriptors + (size_t)group * EXT4_DESC_SIZE, &desc,
				  heads->frame->seed, group);
		heads->free_blocks += desc.free_blocks;
	}
	return 0;
}

/* ---- Journal and reserve ---- */

static int write_reserve(const struct ext4_frame *frame, struct mkrootfs_error *error)
{
	const struct ext4_layout *layout = frame->layout;
	uint32_t count = layout->reserved_descriptor_blocks;
	uint8_t block[EXT4_BLOCK_SIZE];

	for (uint32_t i = 0; i < count; i++) {
		ext4_encode_reserved_block(block, layout, i);
		if (write_block(frame, 1 + layout->descriptor_blocks + i, block, error) < 0)
			return error->status;
	}
	if (count == 0)
		return 0;
	ext4_encode_resize_pointers(block, layout);
	return write_block(frame, ext4_layout_resize_block(layout), block, error);
}

static int write_journal(const struct ext4_frame *frame, struct mkrootfs_error *error)
{
	uint8_t block[EXT4_BLOCK_SIZE];

	ext4_encode_journal(block, frame->layout->journal_blocks, frame->options->uuid);
	return write_block(frame, frame->layout->journal[0].physical, block, error);
}

/* ---- Superblocks ---- */

static void fill_super(struct ext4_super *super, const struct heads *heads)
{
	const struct ext4_options *options = heads->frame->options;
	const struct ext4_layout *layout = heads->frame->layout;

	*super = (struct ext4_super){
		.blocks = layout->blocks,
		.free_blocks = heads->free_blocks,
		.root_blocks = layout->blocks * options->root_ppm / 1000000,
		.inodes = layout->groups * layout->inodes_per_group,
		.inodes_per_group = layout->inodes_per_group,
		.flex_log = layout->flex_log,
		.reserved_descriptor_blocks = layout->reserved_descriptor_blocks,
		.overhead = ext4_layout_overhead(layout),
		.time = options->time,
		.journal_size = (uint64_t)layout->journal_blocks * EXT4_BLOCK_SIZE,
	};
	super->free_inodes = super->inodes - heads->frame->inodes;
	memcpy(super->uuid, options->uuid, sizeof(super->uuid));
	memcpy(super->label, options->label, strlen(options->label));
	ext4_hash_seed(super->hash_seed, options->uuid);
	ext4_encode_extents(super->journal_i_block, layout->journal, layout->journal_extents);
}

/* Superblock and descriptors, in every group that has them, group 0 last. */
static int write_heads(struct heads *heads, struct mkrootfs_error *error)
{
	struct ext4_super super;

	fill_super(&super, heads);
	for (uint32_t group = heads->frame->layout->groups; group-- > 0;) {
		size_t offset = group == 0 ? EXT4_SUPER_OFFSET : 0;

		if (!ext4_layout_has_super(group))
			continue;
		super.group = group;
		memset(heads->bytes, 0, EXT4_BLOCK_SIZE);
		ext4_encode_super(heads->bytes + offset, &super);
		if (image_file_write(heads->frame->file,
				     (uint64_t)group * EXT4_BLOCKS_PER_GROUP * EXT4_BLOCK_SIZE,
				     heads->bytes, heads->size, error) < 0)
			return error->status;
	}
	return 0;
}

int ext4_frame_write(const struct ext4_frame *frame, struct mkrootfs_error *error)
{
	struct heads heads = { .frame = frame };
	int status;

	heads.size = (size_t)(1 + frame->layout->descriptor_blocks) * EXT4_BLOCK_SIZE;
	heads.bytes = calloc(1, heads.size);
	if (!heads.bytes)
		return error_no_memory(error);
	status = write_groups(&heads, error);
	if (status == 0)
		status = write_reserve(frame, error);
	if (status == 0)
		status = write_journal(frame, error);
	if (status == 0)
		status = write_heads(&heads, error);
	free(heads.bytes);
	return status;
}
