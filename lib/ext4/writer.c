/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"
#include "bitmap.h"
#include "encode.h"
#include "journal.h"
#include "resize_inode.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(EXT4_MIN_SIZE == MKROOTFS_UPPER_MIN_SIZE, "the public header states the minimum");
_Static_assert(EXT4_MIN_JOURNAL_SIZE == JBD2_MIN_JOURNAL_BLOCKS * EXT4_BLOCK_SIZE,
	       "jbd2 refuses smaller journals");

struct writer {
	struct image_file *file;
	const struct ext4_options *options;
	struct ext4_layout layout;
	uint32_t seed;	      /* of the checksums */
	uint64_t free_blocks; /* sum over the descriptors so far */
	uint8_t *head;	      /* a block for the superblock, then the descriptors */
	size_t head_size;
	uint8_t block[EXT4_BLOCK_SIZE]; /* whatever is being written */
};

static int write_block(struct writer *w, uint64_t block, struct mkrootfs_error *error)
{
	return image_file_write(w->file, block * EXT4_BLOCK_SIZE, w->block, sizeof(w->block),
				error);
}

static int write_bitmaps(struct writer *w, struct ext4_group *desc, uint32_t group,
			 struct mkrootfs_error *error)
{
	if (!(desc->flags & EXT4_BG_BLOCK_UNINIT)) {
		ext4_bitmap_blocks(w->block, &w->layout, group);
		desc->block_bitmap_checksum = ext4_block_bitmap_checksum(w->block, w->seed);
		if (write_block(w, desc->block_bitmap, error) < 0)
			return error->status;
	}
	if (!(desc->flags & EXT4_BG_INODE_UNINIT)) {
		ext4_bitmap_inodes(w->block, &w->layout);
		desc->inode_bitmap_checksum =
			ext4_inode_bitmap_checksum(w->block, w->seed, w->layout.inodes_per_group);
		if (write_block(w, desc->inode_bitmap, error) < 0)
			return error->status;
	}
	return 0;
}

static int write_groups(struct writer *w, struct mkrootfs_error *error)
{
	uint8_t *descriptors = w->head + EXT4_BLOCK_SIZE;

	for (uint32_t group = 0; group < w->layout.groups; group++) {
		struct ext4_group desc;

		ext4_layout_group(&desc, &w->layout, group);
		if (write_bitmaps(w, &desc, group, error) < 0)
			return error->status;
		ext4_encode_group(descriptors + (size_t)group * EXT4_DESC_SIZE, &desc, w->seed,
				  group);
		w->free_blocks += desc.free_blocks;
	}
	return 0;
}

static void put_inode(struct writer *w, const struct ext4_inode *inode, uint32_t number)
{
	ext4_encode_inode(w->block + (number - 1) * EXT4_INODE_SIZE, inode, w->seed, number);
}

static void put_directory_inode(struct writer *w, enum ext4_directory directory)
{
	struct ext4_extent extent = { .count = 1,
				      .physical =
					      ext4_layout_directory_block(&w->layout, directory) };
	struct ext4_inode inode = {
		.mode = EXT4_S_IFDIR | 0755,
		.links = 2,
		.size = EXT4_BLOCK_SIZE,
		.time = w->options->time,
		.blocks = 1,
		.extents = &extent,
		.extent_count = 1,
	};

	if (directory == EXT4_DIRECTORY_ROOT)
		inode.links += EXT4_DIRECTORIES - 1; /* their ".." */
	if (directory == EXT4_DIRECTORY_LOST_FOUND)
		inode.mode = EXT4_S_IFDIR | 0700;
	put_inode(w, &inode, ext4_layout_directory_inode(directory));
}

/* The first block of group 0's inode table holds all inodes in use. */
static int write_inodes(struct writer *w, struct mkrootfs_error *error)
{
	struct ext4_inode journal = {
		.mode = EXT4_S_IFREG | 0600,
		.links = 1,
		.size = (uint64_t)w->layout.journal_blocks * EXT4_BLOCK_SIZE,
		.time = w->options->time,
		.blocks = w->layout.journal_blocks,
		.extents = w->layout.journal,
		.extent_count = w->layout.journal_extents,
	};
	struct ext4_group desc;

	_Static_assert(EXT4_USED_INODES <= EXT4_INODES_PER_BLOCK, "one block of inodes");
	memset(w->block, 0, sizeof(w->block));
	put_inode(w, &journal, EXT4_JOURNAL_INO);
	for (int directory = 0; directory < EXT4_DIRECTORIES; directory++)
		put_directory_inode(w, (enum ext4_directory)directory);
	if (w->layout.reserved_descriptor_blocks)
		ext4_encode_resize_inode(w->block + (EXT4_RESIZE_INO - 1) * EXT4_INODE_SIZE,
					 &w->layout, w->options->time, w->seed);
	ext4_layout_group(&desc, &w->layout, 0);
	return write_block(w, desc.inode_table, error);
}

static int write_reserve(struct writer *w, struct mkrootfs_error *error)
{
	uint32_t count = w->layout.reserved_descriptor_blocks;

	for (uint32_t i = 0; i < count; i++) {
		ext4_encode_reserved_block(w->block, &w->layout, i);
		if (write_block(w, 1 + w->layout.descriptor_blocks + i, error) < 0)
			return error->status;
	}
	if (count == 0)
		return 0;
	ext4_encode_resize_pointers(w->block, &w->layout);
	return write_block(w, ext4_layout_resize_block(&w->layout), error);
}

static int write_directory(struct writer *w, enum ext4_directory directory,
			   struct mkrootfs_error *error)
{
	uint32_t inode = ext4_layout_directory_inode(directory);
	struct ext4_dirent entries[] = {
		{ inode, EXT4_FT_DIR, "." },
		{ EXT4_ROOT_INO, EXT4_FT_DIR, ".." },
		{ ext4_layout_directory_inode(EXT4_DIRECTORY_LOST_FOUND), EXT4_FT_DIR,
		  "lost+found" },
		{ ext4_layout_directory_inode(EXT4_DIRECTORY_UPPER), EXT4_FT_DIR, "upper" },
		{ ext4_layout_directory_inode(EXT4_DIRECTORY_WORK), EXT4_FT_DIR, "work" },
	};
	size_t count = directory == EXT4_DIRECTORY_ROOT ? sizeof(entries) / sizeof(*entries) : 2;

	ext4_encode_directory(w->block, entries, count, w->seed, inode);
	return write_block(w, ext4_layout_directory_block(&w->layout, directory), error);
}

static int write_files(struct writer *w, struct mkrootfs_error *error)
{
	for (int directory = 0; directory < EXT4_DIRECTORIES; directory++)
		if (write_directory(w, (enum ext4_directory)directory, error) < 0)
			return error->status;
	ext4_encode_journal(w->block, w->layout.journal_blocks, w->options->uuid);
	return write_block(w, w->layout.journal[0].physical, error);
}

/* A seed from the UUID, so that it needs neither randomness nor an option of its own. */
static void derive_hash_seed(uint8_t seed[16], const uint8_t uuid[16])
{
	uint32_t start = crc32c(UINT32_MAX, uuid, 16);

	for (uint8_t word = 0; word < 4; word++)
		put_le32(seed + 4 * word, crc32c(start, &word, 1));
}

static void fill_super(struct ext4_super *super, const struct writer *w)
{
	const struct ext4_layout *layout = &w->layout;

	*super = (struct ext4_super){
		.blocks = layout->blocks,
		.free_blocks = w->free_blocks,
		.root_blocks = layout->blocks * w->options->root_ppm / 1000000,
		.inodes = layout->groups * layout->inodes_per_group,
		.inodes_per_group = layout->inodes_per_group,
		.flex_log = layout->flex_log,
		.reserved_descriptor_blocks = layout->reserved_descriptor_blocks,
		.overhead = ext4_layout_overhead(layout),
		.time = w->options->time,
		.journal_size = (uint64_t)layout->journal_blocks * EXT4_BLOCK_SIZE,
	};
	super->free_inodes = super->inodes - EXT4_USED_INODES;
	memcpy(super->uuid, w->options->uuid, sizeof(super->uuid));
	memcpy(super->label, w->options->label, strlen(w->options->label));
	derive_hash_seed(super->hash_seed, w->options->uuid);
	ext4_encode_extents(super->journal_i_block, layout->journal, layout->journal_extents);
}

/* Superblock and descriptors, in every group that has them, group 0 last. */
static int write_heads(struct writer *w, struct mkrootfs_error *error)
{
	struct ext4_super super;

	fill_super(&super, w);
	for (uint32_t group = w->layout.groups; group-- > 0;) {
		size_t offset = group == 0 ? EXT4_SUPER_OFFSET : 0;

		if (!ext4_layout_has_super(group))
			continue;
		super.group = group;
		memset(w->head, 0, EXT4_BLOCK_SIZE);
		ext4_encode_super(w->head + offset, &super);
		if (image_file_write(w->file,
				     (uint64_t)group * EXT4_BLOCKS_PER_GROUP * EXT4_BLOCK_SIZE,
				     w->head, w->head_size, error) < 0)
			return error->status;
	}
	return 0;
}

static int write_all(struct writer *w, struct mkrootfs_error *error)
{
	if (image_file_resize(w->file, w->layout.size, error) < 0 || write_groups(w, error) < 0 ||
	    write_inodes(w, error) < 0 || write_reserve(w, error) < 0 || write_files(w, error) < 0)
		return error->status;
	if (w->free_blocks != ext4_layout_free_blocks(&w->layout))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "the groups' free blocks are not what was planned");
	return write_heads(w, error);
}

int ext4_write_upper(struct image_file *file, const struct ext4_options *options,
		     struct mkrootfs_error *error)
{
	struct writer w = { .file = file, .options = options };
	int status = ext4_layout_plan(&w.layout, options, error);

	if (status < 0)
		return status;
	w.seed = ext4_checksum_seed(options->uuid);
	w.head_size = (size_t)(1 + w.layout.descriptor_blocks) * EXT4_BLOCK_SIZE;
	w.head = calloc(1, w.head_size);
	if (!w.head)
		return error_no_memory(error);
	status = write_all(&w, error);
	free(w.head);
	return status < 0 ? error_prefix(error, "ext4 image: ") : 0;
}
