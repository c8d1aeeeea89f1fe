/* SPDX-License-Identifier: Apache-2.0 */
#include "file_map.h"

#include "../base/array.h"
#include "../tree/chunk_map.h"
#include "extent_tree.h"
#include "space.h"

#include <stdlib.h>

static uint64_t blocks_of(uint64_t size)
{
	return size / EXT4_BLOCK_SIZE + (size % EXT4_BLOCK_SIZE != 0);
}

/* ---- Which blocks have data ---- */

/* Chunks that follow each other in the file and at their addresses. */
static struct ext4_piece next_chunks(const struct chunk_map *map, uint64_t blocks, uint32_t from)
{
	uint32_t i = from >> map->block_bits, within = from & ((1u << map->block_bits) - 1);
	uint64_t start = from, end;

	while (i < map->count && map->address[i] == CHUNK_HOLE) {
		start = (uint64_t)++i << map->block_bits;
		within = 0;
	}
	if (i >= map->count || start >= blocks)
		return (struct ext4_piece){ 0 };
	end = (uint64_t)(i + 1) << map->block_bits;
	for (uint32_t j = i + 1; j < map->count; j++) {
		if (map->address[j] != map->address[i] + ((uint64_t)(j - i) << map->block_bits))
			break;
		end = (uint64_t)(j + 1) << map->block_bits;
	}
	end = end < blocks ? end : blocks;
	return (struct ext4_piece){ .logical = (uint32_t)start,
				    .count = (uint32_t)(end - start),
				    .address = (uint64_t)map->address[i] + within };
}

struct ext4_piece ext4_next_piece(const struct tree *tree, const struct tree_inode *inode,
				  uint32_t from)
{
	uint64_t blocks = blocks_of(inode->size);

	if (from >= blocks)
		return (struct ext4_piece){ 0 };
	if (inode->flags & TREE_CHUNKED)
		return next_chunks(chunk_map_of(tree, inode), blocks, from);
	return (struct ext4_piece){ .logical = from,
				    .count = (uint32_t)(blocks - from),
				    .address = (uint64_t)inode->data + from };
}

/* ---- Where they go ---- */

static int add_extent(struct ext4_file_map *map, struct ext4_extent run,
		      struct mkrootfs_error *error)
{
	struct ext4_extent *last = map->count ? &map->extents[map->count - 1] : NULL;

	if (last && last->logical + last->count == run.logical &&
	    last->physical + last->count == run.physical &&
	    last->count + run.count <= EXT_INIT_MAX_LEN) {
		last->count += run.count;
		return 0;
	}
	if (array_reserve(&map->extents, &map->room, map->count, sizeof(*map->extents), error) < 0)
		return error->status;
	map->extents[map->count++] = run;
	return 0;
}

static int map_blocks(struct ext4_file_map *map, uint32_t logical, uint32_t count, uint64_t *next,
		      struct mkrootfs_error *error)
{
	int status = 0;

	while (status == 0 && count > 0) {
		struct ext4_extent run = ext4_space_take(map->layout, next, count);

		if (run.count == 0) {
			map->full = true;
			return 0;
		}
		run.logical = logical;
		status = add_extent(map, run, error);
		map->blocks += run.count;
		logical += run.count;
		count -= run.count;
	}
	return status;
}

static int map_pieces(struct ext4_file_map *map, const struct tree *tree,
		      const struct tree_inode *inode, uint64_t *next, struct mkrootfs_error *error)
{
	struct ext4_piece piece = ext4_next_piece(tree, inode, 0);
	int status = 0;

	while (status == 0 && !map->full && piece.count > 0) {
		status = map_blocks(map, piece.logical, piece.count, next, error);
		piece = ext4_next_piece(tree, inode, piece.logical + piece.count);
	}
	return status;
}

static int map_tree(struct ext4_file_map *map, uint64_t *next, struct mkrootfs_error *error)
{
	size_t count = ext4_extent_tree_blocks(map->count);

	if (count > map->tree_room) {
		free(map->tree);
		map->tree = calloc(count, sizeof(*map->tree));
		map->tree_room = map->tree ? count : 0;
		if (!map->tree)
			return error_no_memory(error);
	}
	for (map->tree_count = 0; map->tree_count < count && !map->full;) {
		struct ext4_extent run = ext4_space_take(map->layout, next, 1);

		map->full = run.count == 0;
		map->tree[map->tree_count++] = run.physical;
	}
	return 0;
}

int ext4_file_map(struct ext4_file_map *map, const struct tree *tree,
		  const struct tree_inode *inode, uint32_t directory_blocks, uint64_t *next,
		  struct mkrootfs_error *error)
{
	int status = 0;

	map->count = map->tree_count = 0;
	map->blocks = 0;
	map->full = false;
	if (S_ISREG(inode->mode))
		status = map_pieces(map, tree, inode, next, error);
	else if (S_ISLNK(inode->mode) && inode->size >= EXT4_I_BLOCK_SIZE)
		status = map_blocks(map, 0, 1, next, error);
	else if (S_ISDIR(inode->mode))
		status = map_blocks(map, 0, directory_blocks, next, error);
	return status < 0 ? status : map_tree(map, next, error);
}

void ext4_file_map_free(struct ext4_file_map *map)
{
	free(map->extents);
	free(map->tree);
	*map = (struct ext4_file_map){ 0 };
}
