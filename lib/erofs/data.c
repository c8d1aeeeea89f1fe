/* SPDX-License-Identifier: Apache-2.0 */
#include "data.h"

#include "../base/checked.h"
#include "../tree/chunk_map.h"
#include "content_index.h"
#include "format.h"
#include "gap_hasher.h"

#include <stdlib.h>
#include <string.h>

/* A file with holes takes at most so many chunks: 16 KiB of metadata, whatever its size. */
#define MAX_CHUNKS 4096u
/* Pieces of zeros from this size on are left as holes of the image file. */
#define ZERO_SKIP EROFS_BLOCK_SIZE

#define READ_SIZE (64u << 10)

static const uint8_t zeros[EROFS_BLOCK_SIZE];

struct erofs_data {
	struct image_file *file;
	struct tree *tree;
	struct xxh3 *hash;
	struct content_index index;
	struct content_table contents;
	uint64_t next_block; /* first free one */
	uint64_t high_water; /* bytes of the image file behind which nothing was written yet */
	/* The file in work. */
	uint64_t size;
	uint64_t start_block;
	uint32_t map;		/* reference of its chunk map, 0: contiguous */
	uint32_t extents;	/* of contents when it began */
	struct gap_hasher gaps; /* of one with a map */
};

int erofs_data_create(struct erofs_data **out, struct image_file *file, struct tree *tree,
		      struct mkrootfs_error *error)
{
	struct erofs_data *data = calloc(1, sizeof(*data));
	int status;

	*out = NULL;
	if (!data)
		return error_no_memory(error);
	data->file = file;
	data->tree = tree;
	data->next_block = 1;
	data->contents = CONTENT_TABLE_INIT;
	status = xxh3_create(&data->hash, error);
	if (status < 0) {
		erofs_data_free(data);
		return status;
	}
	*out = data;
	return 0;
}

void erofs_data_free(struct erofs_data *data)
{
	if (!data)
		return;
	xxh3_free(data->hash);
	content_index_free(&data->index);
	content_table_free(&data->contents);
	free(data);
}

void erofs_data_finish(struct erofs_data *data)
{
	content_index_free(&data->index);
}

uint32_t erofs_data_end_block(const struct erofs_data *data)
{
	return (uint32_t)data->next_block;
}

const struct content_table *erofs_data_contents(const struct erofs_data *data)
{
	return &data->contents;
}

static int reserve(struct erofs_data *data, uint64_t blocks, struct mkrootfs_error *error)
{
	if (blocks > EROFS_MAX_BLOCKS - data->next_block)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "the layer image would exceed 16 TiB");
	data->next_block += blocks;
	return 0;
}

static uint64_t blocks_of(uint64_t size)
{
	return size / EROFS_BLOCK_SIZE + (size % EROFS_BLOCK_SIZE != 0);
}

static int begin_chunked(struct erofs_data *data, struct mkrootfs_error *error)
{
	uint64_t blocks = blocks_of(data->size);
	uint32_t bits = 0;

	while ((blocks >> bits) + 1 > MAX_CHUNKS)
		bits++;
	if (bits > EROFS_CHUNK_FORMAT_BLKBITS_MASK)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "a file of %llu bytes is too large",
				 (unsigned long long)data->size);
	gap_hasher_begin(&data->gaps, data->hash, &data->contents,
			 data->next_block << EROFS_BLOCK_BITS);
	/* Blocks of a chunk that no piece fills must read as zeros. */
	if (data->high_water > data->next_block << EROFS_BLOCK_BITS) {
		int status =
			image_file_resize(data->file, data->next_block << EROFS_BLOCK_BITS, error);

		if (status < 0)
			return status;
		data->high_water = data->next_block << EROFS_BLOCK_BITS;
	}
	return chunk_map_new(data->tree, &data->map, bits,
			     (uint32_t)((blocks + (1ull << bits) - 1) >> bits), error);
}

int erofs_data_begin(struct erofs_data *data, uint64_t size, bool sparse,
		     struct mkrootfs_error *error)
{
	data->size = size;
	data->start_block = data->next_block;
	data->map = 0;
	data->extents = content_table_count(&data->contents);
	if (size == 0)
		return 0;
	if (sparse)
		return begin_chunked(data, error);
	xxh3_reset(data->hash);
	return reserve(data, blocks_of(size), error);
}

static bool is_zero(const uint8_t *bytes, size_t len)
{
	return bytes[0] == 0 && !memcmp(bytes, bytes + 1, len - 1);
}

static int write_at(struct erofs_data *data, uint64_t at, const uint8_t *bytes, size_t len,
		    struct mkrootfs_error *error)
{
	if (len >= ZERO_SKIP && at >= data->high_water && is_zero(bytes, len))
		return 0;
	if (at + len > data->high_water)
		data->high_water = at + len;
	return image_file_write(data->file, at, bytes, len, error);
}

static struct chunk_map *map_of(const struct erofs_data *data)
{
	const struct tree_inode inode = { .data = data->map };

	return chunk_map_of(data->tree, &inode);
}

/* Gives a chunk its blocks; the last chunk ends with the file. */
static int allocate_chunk(struct erofs_data *data, struct chunk_map *map, uint64_t chunk,
			  struct mkrootfs_error *error)
{
	uint64_t left = blocks_of(data->size) - (chunk << map->block_bits);
	uint64_t whole = 1ull << map->block_bits;

	if (map->address[chunk] != CHUNK_HOLE)
		return 0;
	map->address[chunk] = (uint32_t)data->next_block;
	return reserve(data, left < whole ? left : whole, error);
}

static int append_chunked(struct erofs_data *data, uint64_t offset, const uint8_t *bytes,
			  size_t len, struct mkrootfs_error *error)
{
	struct chunk_map *map = map_of(data);
	uint64_t chunk_size = (uint64_t)EROFS_BLOCK_SIZE << map->block_bits;
	int status = 0;

	while (status == 0 && len > 0) {
		uint64_t chunk = offset / chunk_size, within = offset % chunk_size;
		size_t part = len < chunk_size - within ? len : (size_t)(chunk_size - within);

		uint64_t at;

		status = allocate_chunk(data, map, chunk, error);
		at = ((uint64_t)map->address[chunk] << EROFS_BLOCK_BITS) + within;
		if (status == 0)
			status = gap_hasher_piece(&data->gaps, at, bytes, part, error);
		if (status == 0)
			status = write_at(data, at, bytes, part, error);
		offset += part;
		bytes += part;
		len -= part;
	}
	return status;
}

int erofs_data_append(struct erofs_data *data, uint64_t offset, const uint8_t *bytes, size_t len,
		      struct mkrootfs_error *error)
{
	uint64_t end;

	if (!checked_add_u64(&end, offset, len) || end > data->size)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "more data than the file's size");
	if (data->map)
		return append_chunked(data, offset, bytes, len, error);
	xxh3_update(data->hash, bytes, len);
	return write_at(data, (data->start_block << EROFS_BLOCK_BITS) + offset, bytes, len, error);
}

static int fill_last_block(struct erofs_data *data, struct mkrootfs_error *error)
{
	uint64_t end = (data->start_block << EROFS_BLOCK_BITS) + data->size;
	size_t len = (size_t)(round_up_u64(end, EROFS_BLOCK_SIZE) - end);

	xxh3_update(data->hash, zeros, len);
	return len ? write_at(data, end, zeros, len, error) : 0;
}

/* Reads of the image file must not meet its end: zeros that were skipped count as written. */
static int cover(struct erofs_data *data, struct mkrootfs_error *error)
{
	uint64_t end = data->next_block << EROFS_BLOCK_BITS;

	if (data->high_water >= end)
		return 0;
	data->high_water = end;
	return image_file_resize(data->file, end, error);
}

/* Looks whether the content in place was stored before; then it is not stored again. */
static int keep_once(struct erofs_data *data, struct tree_inode *inode,
		     struct mkrootfs_error *error)
{
	uint32_t found;
	int status = content_index_find(&data->index, &found, &data->contents, data->file,
					xxh3_digest(data->hash), (uint32_t)data->start_block,
					blocks_of(data->size), error);
	if (status < 0)
		return status;
	if (found != data->start_block)
		data->next_block = data->start_block;
	inode->data = found;
	return 0;
}

static int end_flat(struct erofs_data *data, struct tree_inode *inode, struct mkrootfs_error *error)
{
	int status = fill_last_block(data, error);

	if (status == 0)
		status = cover(data, error);
	return status < 0 ? status : keep_once(data, inode, error);
}

static bool has_holes(const struct chunk_map *map)
{
	for (uint32_t i = 0; i < map->count; i++)
		if (map->address[i] == CHUNK_HOLE)
			return true;
	return false;
}

static int hash_stored(struct erofs_data *data, struct mkrootfs_error *error)
{
	uint64_t at = data->start_block << EROFS_BLOCK_BITS,
		 end = data->next_block << EROFS_BLOCK_BITS;
	uint8_t *bytes = malloc(READ_SIZE);
	int status = bytes ? 0 : error_no_memory(error);

	xxh3_reset(data->hash);
	while (status == 0 && at < end) {
		size_t len = end - at < READ_SIZE ? (size_t)(end - at) : READ_SIZE;

		status = image_file_read(data->file, at, bytes, len, error);
		xxh3_update(data->hash, bytes, len);
		at += len;
	}
	free(bytes);
	return status;
}

/*
 * No hole is as large as a chunk: chunks are given out in order, so the file is contiguous. It is
 * kept as one that came without holes, or the image would depend on how an archive put it.
 */
static int end_without_holes(struct erofs_data *data, struct tree_inode *inode,
			     struct mkrootfs_error *error)
{
	int status = cover(data, error);

	content_table_cut(&data->contents, data->extents);
	if (status == 0)
		status = hash_stored(data, error);
	return status < 0 ? status : keep_once(data, inode, error);
}

static int end_chunked(struct erofs_data *data, struct tree_inode *inode,
		       struct mkrootfs_error *error)
{
	if (!has_holes(map_of(data)))
		return end_without_holes(data, inode, error);
	inode->data = data->map;
	inode->flags |= TREE_CHUNKED;
	return gap_hasher_end(&data->gaps, data->next_block << EROFS_BLOCK_BITS, error);
}

int erofs_data_end(struct erofs_data *data, struct tree_inode *inode, struct mkrootfs_error *error)
{
	inode->size = data->size;
	inode->data = 0;
	inode->flags &= (uint16_t)~TREE_CHUNKED;
	if (data->size == 0)
		return 0;
	return data->map ? end_chunked(data, inode, error) : end_flat(data, inode, error);
}
