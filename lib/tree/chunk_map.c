/* SPDX-License-Identifier: Apache-2.0 */
#include "chunk_map.h"

#include <string.h>

int chunk_map_new(struct tree *tree, uint32_t *reference, uint32_t block_bits, uint32_t count,
		  struct mkrootfs_error *error)
{
	struct chunk_map *map;
	uint8_t *bytes;
	int status;

	*reference = 0;
	if (count > CHUNK_MAP_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "a file with holes in %u chunks, the limit is %u", count,
				 CHUNK_MAP_MAX);
	status = arena_alloc(&tree->arena, reference, &bytes,
			     sizeof(*map) + count * sizeof(map->address[0]), error);
	if (status < 0)
		return status;
	map = (struct chunk_map *)(void *)bytes;
	map->block_bits = block_bits;
	map->count = count;
	memset(map->address, 0xff, count * sizeof(map->address[0]));
	return 0;
}

struct chunk_map *chunk_map_of(const struct tree *tree, const struct tree_inode *inode)
{
	return (struct chunk_map *)(void *)arena_at(&tree->arena, inode->data);
}
