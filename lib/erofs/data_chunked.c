/* SPDX-License-Identifier: Apache-2.0 */
/* Files with holes, in chunks. */
#include "data_state.h"

#include "../tree/chunk_map.h"

/* A file with holes takes at most so many chunks: 16 KiB of metadata, whatever its size. */
#define MAX_CHUNKS 4096u

int data_begin_chunked(struct erofs_data *data, struct mkrootfs_error *error)
{
	uint64_t blocks = data_blocks_of(data->size);
	uint32_t bits = 0;
	int status;

	while ((blocks >> bits) + 1 > MAX_CHUNKS)
		bits++;
	if (bits > EROFS_CHUNK_FORMAT_BLKBITS_MASK)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "a file of %llu bytes is too large",
				 (unsigned long long)data->size);
	gap_hasher_begin(&data->gaps, data->hash, &data->contents,
			 data->area.next_block << EROFS_BLOCK_BITS);
	/* Blocks of a chunk that no piece fills must read as zeros. */
	status = data_area_clear_rest(&data->area, error);
	return status < 0 ? status
			  : chunk_map_new(data->tree, &data->map, bits,
					  (uint32_t)((blocks + (1ull << bits) - 1) >> bits), error);
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
	uint64_t left = data_blocks_of(data->size) - (chunk << map->block_bits);
	uint64_t whole = 1ull << map->block_bits;

	if (map->address[chunk] != CHUNK_HOLE)
		return 0;
	map->address[chunk] = (uint32_t)data->area.next_block;
	return data_area_reserve(&data->area, left < whole ? left : whole, error);
}

/* A piece within one chunk. */
static int append_piece(struct erofs_data *data, uint64_t chunk, uint64_t within,
			const uint8_t *bytes, size_t len, struct mkrootfs_error *error)
{
	struct chunk_map *map = map_of(data);
	uint64_t at;
	int status = allocate_chunk(data, map, chunk, error);

	if (status < 0)
		return status;
	at = ((uint64_t)map->address[chunk] << EROFS_BLOCK_BITS) + within;
	status = gap_hasher_piece(&data->gaps, at, bytes, len, error);
	return status < 0 ? status : data_area_write(&data->area, at, bytes, len, error);
}

int data_append_chunked(struct erofs_data *data, uint64_t offset, const uint8_t *bytes, size_t len,
			struct mkrootfs_error *error)
{
	uint64_t chunk_size = (uint64_t)EROFS_BLOCK_SIZE << map_of(data)->block_bits;
	int status = 0;

	while (status == 0 && len > 0) {
		uint64_t chunk = offset / chunk_size, within = offset % chunk_size;
		size_t part = len < chunk_size - within ? len : (size_t)(chunk_size - within);

		status = append_piece(data, chunk, within, bytes, part, error);
		offset += part;
		bytes += part;
		len -= part;
	}
	return status;
}

bool data_has_holes(const struct erofs_data *data)
{
	const struct chunk_map *map = map_of(data);

	for (uint32_t i = 0; i < map->count; i++)
		if (map->address[i] == CHUNK_HOLE)
			return true;
	return false;
}
