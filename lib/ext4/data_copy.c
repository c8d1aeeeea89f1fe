/* SPDX-License-Identifier: Apache-2.0 */
#include "data_copy.h"

#include "../io/file_range.h"

#include <errno.h>
#include <string.h>

#define STEP_MAX (UINT64_C(32) << 20) /* bytes between two reports of progress */

static int find(const struct ext4_data_copy *copy, struct ext4_place *place, uint64_t address,
		struct mkrootfs_error *error)
{
	return copy->contents->find(copy->contents->user, place, address, error);
}

static int report(struct ext4_data_copy *copy, uint64_t len, struct mkrootfs_error *error)
{
	copy->done += len;
	if (!copy->contents->progress)
		return 0;
	return copy->contents->progress(copy->contents->user, copy->done, error);
}

int ext4_data_copy_finish(struct ext4_data_copy *copy, struct mkrootfs_error *error)
{
	int status = 0;

	while (status == 0 && copy->len > 0) {
		struct ext4_place place;
		uint64_t len = copy->len < STEP_MAX ? copy->len : STEP_MAX;

		status = find(copy, &place, copy->address, error);
		if (status < 0)
			break;
		if (len > place.left)
			len = place.left;
		status = image_file_copy(copy->file, copy->offset, place.fd, place.offset, len,
					 error);
		if (status == 0)
			status = report(copy, len, error);
		copy->address += len;
		copy->offset += len;
		copy->len -= len;
	}
	return status;
}

static int add(struct ext4_data_copy *copy, uint64_t address, uint64_t offset, uint64_t len,
	       struct mkrootfs_error *error)
{
	int status = 0;

	if (copy->address + copy->len != address || copy->offset + copy->len != offset)
		status = ext4_data_copy_finish(copy, error);
	if (copy->len == 0) {
		copy->address = address;
		copy->offset = offset;
	}
	copy->len += len;
	return status;
}

/* A last block of which the source has only the file's bytes. */
static int add_tail(struct ext4_data_copy *copy, uint64_t address, uint64_t offset, size_t len,
		    struct mkrootfs_error *error)
{
	uint8_t block[EXT4_BLOCK_SIZE] = { 0 };
	struct ext4_place place;
	int status = 0;

	for (size_t at = 0, got; status == 0 && at < len; at += got) {
		size_t part;

		status = find(copy, &place, address + at, error);
		if (status < 0)
			return status;
		part = len - at < place.left ? len - at : (size_t)place.left;
		if (file_range_read(place.fd, place.offset, block + at, part, &got) < 0)
			return error_set_errno(error, errno, "read a file's data");
	}
	status = image_file_write(copy->file, offset, block, sizeof(block), error);
	return status < 0 ? status : report(copy, len, error);
}

/* Blocks of a piece that go to one extent. */
static int add_blocks(struct ext4_data_copy *copy, const struct tree_inode *inode,
		      const struct ext4_piece *piece, const struct ext4_extent *extent,
		      uint32_t logical, uint32_t count, struct mkrootfs_error *error)
{
	uint64_t address = (piece->address + (logical - piece->logical)) * EXT4_BLOCK_SIZE;
	uint64_t offset = (extent->physical + (logical - extent->logical)) * EXT4_BLOCK_SIZE;
	uint64_t len = (uint64_t)count * EXT4_BLOCK_SIZE;
	uint64_t left = inode->size - (uint64_t)logical * EXT4_BLOCK_SIZE;
	size_t tail = left < len ? (size_t)(left % EXT4_BLOCK_SIZE) : 0;
	int status = 0;

	if (tail == 0 || copy->contents->zero_padded)
		return add(copy, address, offset, len, error);
	len -= EXT4_BLOCK_SIZE;
	if (len > 0)
		status = add(copy, address, offset, len, error);
	if (status == 0)
		status = add_tail(copy, address + len, offset + len, tail, error);
	return status;
}

int ext4_data_copy_file(struct ext4_data_copy *copy, const struct tree *tree,
			const struct tree_inode *inode, const struct ext4_file_map *map,
			struct mkrootfs_error *error)
{
	struct ext4_piece piece = { 0 };
	int status = 0;

	for (size_t i = 0; status == 0 && i < map->count; i++) {
		const struct ext4_extent *extent = &map->extents[i];
		uint32_t logical = extent->logical, end = logical + extent->count;

		while (status == 0 && logical < end) {
			uint32_t piece_end, count;

			if (logical >= piece.logical + piece.count)
				piece = ext4_next_piece(tree, inode, logical);
			piece_end = piece.logical + piece.count;
			count = (piece_end < end ? piece_end : end) - logical;
			status = add_blocks(copy, inode, &piece, extent, logical, count, error);
			logical += count;
		}
	}
	return status;
}
