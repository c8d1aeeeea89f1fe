/* SPDX-License-Identifier: Apache-2.0 */
#include "extent_tree.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"

#include <string.h>

static size_t nodes_for(size_t entries)
{
	return (entries + EXT4_EXTENTS_PER_BLOCK - 1) / EXT4_EXTENTS_PER_BLOCK;
}

size_t ext4_extent_tree_blocks(size_t extents)
{
	size_t total = 0, level = extents;

	while (level > EXT4_INLINE_EXTENTS) {
		level = nodes_for(level);
		total += level;
	}
	return total;
}

static void put_header(uint8_t *out, size_t entries, uint32_t max, uint32_t depth)
{
	put_le16(out + 0, EXT4_EXT_MAGIC);
	put_le16(out + 2, (uint16_t)entries);
	put_le16(out + 4, (uint16_t)max);
	put_le16(out + 6, (uint16_t)depth);
}

static void put_extent(uint8_t *out, const struct ext4_extent *extent)
{
	put_le32(out + 0, extent->logical);
	put_le16(out + 4, (uint16_t)extent->count);
	put_le16(out + 6, (uint16_t)(extent->physical >> 32));
	put_le32(out + 8, (uint32_t)extent->physical);
}

/* Of a node that starts with that logical block. */
static void put_index(uint8_t *out, uint32_t logical, uint64_t place)
{
	put_le32(out + 0, logical);
	put_le32(out + 4, (uint32_t)place);
	put_le16(out + 8, (uint16_t)(place >> 32));
}

/* The first logical block below an entry, which starts alike in nodes of either kind. */
static uint32_t first_of(const uint8_t *node)
{
	return get_le32(node + EXT4_EXTENT_SIZE);
}

/* What the nodes of a level are over: extents, or the nodes of the level below. */
struct level {
	const struct ext4_extent *extents;
	const uint8_t *nodes;
	const uint64_t *places;
	size_t count;
	uint32_t depth; /* of who holds these entries: 0 for extents */
};

static void put_entries(uint8_t *out, const struct level *level, size_t first, size_t count)
{
	for (size_t i = first; i < first + count; i++) {
		out += EXT4_EXTENT_SIZE;
		if (level->depth == 0)
			put_extent(out, &level->extents[i]);
		else
			put_index(out, first_of(level->nodes + i * EXT4_BLOCK_SIZE),
				  level->places[i]);
	}
}

static void put_node(uint8_t *out, const struct level *level, size_t first, uint32_t seed)
{
	size_t left = level->count - first;
	size_t count = left < EXT4_EXTENTS_PER_BLOCK ? left : EXT4_EXTENTS_PER_BLOCK;

	memset(out, 0, EXT4_BLOCK_SIZE);
	put_header(out, count, EXT4_EXTENTS_PER_BLOCK, level->depth);
	put_entries(out, level, first, count);
	put_le32(out + EXT4_EXTENT_TAIL, crc32c(seed, out, EXT4_EXTENT_TAIL));
}

void ext4_encode_extent_tree(uint8_t i_block[EXT4_I_BLOCK_SIZE], uint8_t *blocks,
			     const uint64_t *places, const struct ext4_extent *extents,
			     size_t count, uint32_t seed)
{
	struct level level = { .extents = extents, .count = count };

	while (level.count > EXT4_INLINE_EXTENTS) {
		size_t nodes = nodes_for(level.count);

		for (size_t i = 0; i < nodes; i++)
			put_node(blocks + i * EXT4_BLOCK_SIZE, &level, i * EXT4_EXTENTS_PER_BLOCK,
				 seed);
		level = (struct level){
			.nodes = blocks, .places = places, .count = nodes, .depth = level.depth + 1
		};
		blocks += nodes * EXT4_BLOCK_SIZE;
		places += nodes;
	}
	memset(i_block, 0, EXT4_I_BLOCK_SIZE);
	put_header(i_block, level.count, EXT4_INLINE_EXTENTS, level.depth);
	put_entries(i_block, &level, 0, level.count);
}
