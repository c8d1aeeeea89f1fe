/* SPDX-License-Identifier: Apache-2.0 */
#include "grow.h"

#include "../base/bytes.h"
#include "bits.h"
#include "encode.h"
#include "grow_plan.h"
#include "grow_reserve.h"
#include "transaction.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct grower {
	const struct ext4_disk *disk;
	struct ext4_existing old;
	struct ext4_grow_plan plan;
	struct ext4_transaction transaction;
	uint8_t super[EXT4_SUPER_SIZE]; /* the new one */
	uint64_t file_size;		/* bytes, before */
};

static uint8_t *descriptor_block(const struct grower *g, uint32_t index)
{
	return g->plan.now.descriptors + (size_t)index * EXT4_BLOCK_SIZE;
}

static uint32_t descriptor_blocks(uint32_t groups)
{
	return (groups + EXT4_DESC_PER_BLOCK - 1) / EXT4_DESC_PER_BLOCK;
}

/* A copy of the superblock, with the number of the group that it is in. */
static int write_super_copy(const struct grower *g, uint32_t group, struct mkrootfs_error *error)
{
	uint8_t block[EXT4_BLOCK_SIZE] = { 0 };

	memcpy(block, g->super, EXT4_SUPER_SIZE);
	put_le16(block + 0x05A, (uint16_t)group);
	ext4_seal_super(block);
	return ext4_disk_write(g->disk, (uint64_t)group * EXT4_BLOCKS_PER_GROUP, block, 1, error);
}

/* Superblock and the descriptors that follow it. */
static int write_copy(const struct grower *g, uint32_t group, struct mkrootfs_error *error)
{
	const struct ext4_existing *now = &g->plan.now;
	uint32_t count = descriptor_blocks(now->groups);
	bool meta = now->meta_bg && group / EXT4_DESC_PER_BLOCK >= now->base_blocks;

	if (now->meta_bg && count > now->base_blocks)
		count = now->base_blocks;
	if (write_super_copy(g, group, error) < 0)
		return error->status;
	if (meta)
		return 0;
	return ext4_disk_write(g->disk, (uint64_t)group * EXT4_BLOCKS_PER_GROUP + 1,
			       now->descriptors, count, error);
}

/* The copies in the groups of [from, until). Group 0 has the originals. */
static int write_copies(const struct grower *g, uint32_t from, uint32_t until,
			struct mkrootfs_error *error)
{
	for (uint32_t group = 1; group < until; group = ext4_layout_next_super(group))
		if (group >= from && write_copy(g, group, error) < 0)
			return error->status;
	return 0;
}

/* The blocks of descriptors that a meta group holds itself: in its first two and its last group. */
static int write_meta_copies(const struct grower *g, uint32_t from, uint32_t until,
			     struct mkrootfs_error *error)
{
	static const uint32_t slots[] = { 0, 1, EXT4_DESC_PER_BLOCK - 1 };
	const struct ext4_existing *now = &g->plan.now;
	uint32_t count = descriptor_blocks(now->groups);

	for (uint32_t index = now->base_blocks; now->meta_bg && index < count; index++)
		for (uint32_t i = 0; i < 3; i++) {
			uint32_t group = index * EXT4_DESC_PER_BLOCK + slots[i];

			/* An old original is part of the transaction. */
			if (group < from || group >= until || (i == 0 && until == g->old.groups))
				continue;
			if (ext4_disk_write(g->disk,
					    ext4_existing_descriptor_block(now, index, group),
					    descriptor_block(g, index), 1, error) < 0)
				return error->status;
		}
	return 0;
}

static int write_bitmaps(const struct grower *g, struct mkrootfs_error *error)
{
	const struct ext4_existing *now = &g->plan.now;
	uint8_t bitmap[EXT4_BLOCK_SIZE];

	for (uint32_t group = g->old.groups; group < now->groups; group++) {
		const uint8_t *desc = ext4_existing_group(now, group);

		if (get_le16(desc + 0x12) & EXT4_BG_BLOCK_UNINIT)
			continue;
		ext4_grow_bitmap(bitmap, now, group);
		if (ext4_disk_write(g->disk, get_le32(desc) | (uint64_t)get_le32(desc + 0x20) << 32,
				    bitmap, 1, error) < 0)
			return error->status;
	}
	return 0;
}

/* All that lies behind the old filesystem's end. */
static int write_new(const struct grower *g, struct mkrootfs_error *error)
{
	uint32_t from = g->old.groups, until = g->plan.now.groups;

	if (write_bitmaps(g, error) < 0 || write_copies(g, from, until, error) < 0 ||
	    write_meta_copies(g, from, until, error) < 0)
		return error->status;
	return ext4_disk_sync(g->disk, error);
}

static int malformed_last(const struct grower *g, const char *what, struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "ext4 block group %" PRIu32 ": %s",
			 g->old.groups - 1, what);
}

/* The last old group, when it was not whole, gets more blocks. */
static int extend_last(struct grower *g, struct mkrootfs_error *error)
{
	uint32_t group = g->old.groups - 1, from = g->plan.old_last_blocks;
	uint32_t until = g->plan.last_blocks;
	uint8_t *desc = ext4_existing_group(&g->plan.now, group), *bitmap;
	uint64_t at = get_le32(desc) | (uint64_t)get_le32(desc + 0x20) << 32;

	if (from == until)
		return 0;
	if (at <= g->old.base_blocks || at >= g->old.blocks)
		return malformed_last(g, "its block bitmap is outside of the filesystem", error);
	if (ext4_transaction_read(&g->transaction, &bitmap, at, true, error) < 0)
		return error->status;
	if (get_le16(desc + 0x12) & EXT4_BG_BLOCK_UNINIT)
		ext4_grow_bitmap(bitmap, &g->old, group);
	else if (ext4_block_bitmap_checksum(bitmap, g->old.seed) !=
		 (get_le16(desc + 0x18) | (uint32_t)get_le16(desc + 0x38) << 16))
		return malformed_last(g, "the checksum of its block bitmap is wrong", error);
	ext4_bits_clear(bitmap, from, until);
	ext4_existing_freed(&g->plan.now, group, bitmap, until - from);
	return 0;
}

/* The blocks of descriptors that lie in the old filesystem. */
static int change_descriptors(struct grower *g, struct mkrootfs_error *error)
{
	const struct ext4_existing *now = &g->plan.now;
	uint32_t have = descriptor_blocks(g->old.groups), count = descriptor_blocks(now->groups);

	for (uint32_t index = 0; index < count; index++) {
		bool meta = now->meta_bg && index >= now->base_blocks;
		uint32_t group = meta ? index * EXT4_DESC_PER_BLOCK : 0;
		size_t known = index >= have ? 0 : EXT4_BLOCK_SIZE;
		uint8_t *data;

		if (group >= g->old.groups ||
		    (known && !memcmp(descriptor_block(g, index),
				      g->old.descriptors + (size_t)index * EXT4_BLOCK_SIZE, known)))
			continue;
		if (ext4_transaction_new(&g->transaction, &data,
					 ext4_existing_descriptor_block(now, index, group),
					 index >= have, error) < 0)
			return error->status;
		memcpy(data, descriptor_block(g, index), EXT4_BLOCK_SIZE);
	}
	return 0;
}

/* What is behind the end may be of an earlier use of the file; it must read as zeros. */
static int set_file_size(const struct grower *g, uint64_t size, struct mkrootfs_error *error)
{
	off_t end = (off_t)(g->old.blocks * EXT4_BLOCK_SIZE);

	if (ftruncate(g->disk->fd, end) < 0 || ftruncate(g->disk->fd, (off_t)size) < 0)
		return error_set_errno(error, errno, "resize to %" PRIu64 " bytes", size);
	return ext4_disk_sync(g->disk, error);
}

static int collect(struct grower *g, struct mkrootfs_error *error)
{
	if (ext4_grow_reserve(&g->transaction, &g->plan, &g->old, error) < 0 ||
	    extend_last(g, error) < 0 || change_descriptors(g, error) < 0)
		return error->status;
	ext4_grow_super(g->super, &g->plan, &g->old);
	return 0;
}

/* size: of the whole file, as asked for. */
static int check_file(struct grower *g, uint64_t size, struct mkrootfs_error *error)
{
	struct stat st;

	if (fstat(g->disk->fd, &st) < 0)
		return error_set_errno(error, errno, "stat");
	g->file_size = (uint64_t)st.st_size;
	if (g->file_size > size && size >= g->old.blocks * EXT4_BLOCK_SIZE)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "the file is longer than that, it has %" PRIu64 " bytes",
				 g->file_size);
	if (g->file_size >= g->old.blocks * EXT4_BLOCK_SIZE)
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "the file ends within the ext4 filesystem, which has %" PRIu64 " bytes",
			 g->old.blocks * EXT4_BLOCK_SIZE);
}

/* What does not fit on the host's disk must not stay there in part. */
static int give_back(const struct grower *g, struct mkrootfs_error *error)
{
	if (ftruncate(g->disk->fd, (off_t)(g->old.blocks * EXT4_BLOCK_SIZE)) < 0 ||
	    ftruncate(g->disk->fd, (off_t)g->file_size) < 0)
		return error_prefix(error, "the file stays larger; ");
	return error->status;
}

static int grow(struct grower *g, uint64_t size, struct mkrootfs_error *error)
{
	if (check_file(g, size, error) < 0 || ext4_grow_plan(&g->plan, &g->old, size, error) < 0)
		return error->status;
	if (g->plan.now.blocks == g->old.blocks)
		return set_file_size(g, size, error);
	if (collect(g, error) < 0)
		return error->status;
	if (set_file_size(g, size, error) < 0 || write_new(g, error) < 0)
		return give_back(g, error);
	if (ext4_transaction_commit(&g->transaction, g->super, error) < 0 ||
	    write_copies(g, 0, g->old.groups, error) < 0 ||
	    write_meta_copies(g, 0, g->old.groups, error) < 0)
		return error->status;
	return ext4_disk_sync(g->disk, error);
}

int ext4_grow(const struct ext4_disk *disk, struct ext4_grown *grown, uint64_t size,
	      struct mkrootfs_error *error)
{
	struct grower g = { .disk = disk };
	int status = ext4_existing_open(&g.old, disk, error);

	*grown = (struct ext4_grown){ 0 };
	size -= size % EXT4_BLOCK_SIZE;
	g.transaction.fs = &g.old;
	if (status == 0)
		status = grow(&g, size, error);
	if (status == 0)
		*grown = (struct ext4_grown){ g.old.blocks * EXT4_BLOCK_SIZE,
					      g.plan.now.blocks * EXT4_BLOCK_SIZE };
	ext4_transaction_free(&g.transaction);
	ext4_existing_close(&g.plan.now);
	ext4_existing_close(&g.old);
	return status;
}
