/* SPDX-License-Identifier: Apache-2.0 */
#include "../base/bytes.h"
#include "../base/checked.h"
#include "../base/crc32c.h"
#include "directory.h"
#include "encode.h"

#include <string.h>

#define LEAF_SIZE (EXT4_BLOCK_SIZE - EXT4_DIRENT_TAIL_SIZE)

/* ---- Names ---- */

/* Returns the size of the record, which is the smallest that holds the name. */
static uint32_t put_name(uint8_t *out, uint32_t inode, uint8_t type, const char *name, size_t len)
{
	uint64_t size = round_up_u64(EXT4_DIRENT_HEADER + len, EXT4_DIRENT_ALIGN);

	put_le32(out, inode);
	put_le16(out + 4, (uint16_t)size);
	out[6] = (uint8_t)len;
	out[7] = type;
	memcpy(out + EXT4_DIRENT_HEADER, name, len);
	return (uint32_t)size;
}

static void set_record_size(uint8_t *record, uint32_t size)
{
	put_le16(record + 4, (uint16_t)size);
}

static uint32_t put_dots(uint8_t *out, const struct ext4_directory *d)
{
	uint32_t at = put_name(out, d->self, EXT4_FT_DIR, ".", 1);

	return at + put_name(out + at, d->parent, EXT4_FT_DIR, "..", 2);
}

/* An entry without inode, invisible to those who do not know of checksums. */
static void put_tail(uint8_t *out, uint32_t checksum)
{
	put_le16(out + 4, EXT4_DIRENT_TAIL_SIZE);
	out[7] = EXT4_FT_DIR_CSUM;
	put_le32(out + 8, checksum);
}

/* Names behind the first at bytes of a block, whose last record so far is at last. */
static void put_names(uint8_t *out, uint32_t at, uint32_t last, const struct ext4_directory *d,
		      size_t first, size_t end, uint32_t inode_seed)
{
	for (size_t i = first; i < end; i++) {
		const struct ext4_dirent *entry = &d->entries[i];

		last = at;
		at += put_name(out + at, entry->inode, entry->type, entry->name, entry->name_len);
	}
	set_record_size(out + last, LEAF_SIZE - last); /* the last one takes the free space */
	put_tail(out + LEAF_SIZE, crc32c(inode_seed, out, LEAF_SIZE));
}

static void put_leaf(uint8_t *out, const struct ext4_directory *d, uint32_t leaf,
		     uint32_t inode_seed)
{
	size_t end = leaf + 1 < d->leaf_count ? d->leaves[leaf + 1] : d->count;

	put_names(out, 0, 0, d, d->leaves[leaf], end, inode_seed);
}

/* ---- The index ---- */

/*
 * The hash from which on a leaf's names are. Its lowest bit says that names of this hash are in the
 * leaf before, too.
 */
static uint32_t leaf_hash(const struct ext4_directory *d, uint32_t leaf)
{
	const struct ext4_dirent *first = &d->entries[d->leaves[leaf]];

	if (leaf > 0 && first[-1].hash.major == first->hash.major)
		return first->hash.major | 1;
	return first->hash.major;
}

/*
 * Entries [0, count) of an index block, the first at offset start. In the place of the first one's
 * hash are limit and count. step: leaves from one entry to the next; block: what the first leads
 * to.
 */
static void put_index(uint8_t *out, uint32_t start, uint32_t limit, const struct ext4_directory *d,
		      uint32_t first_leaf, uint32_t step, uint32_t count, uint32_t block,
		      uint32_t inode_seed)
{
	uint8_t *tail = out + start + limit * EXT4_DX_ENTRY_SIZE;
	uint32_t sum;

	for (uint32_t i = 0; i < count; i++) {
		uint8_t *entry = out + start + i * EXT4_DX_ENTRY_SIZE;

		put_le32(entry, leaf_hash(d, first_leaf + i * step));
		put_le32(entry + 4, block + i);
	}
	put_le16(out + start, (uint16_t)limit);
	put_le16(out + start + 2, (uint16_t)count);
	/* over the entries in use and the tail, whose own field is zero */
	sum = crc32c(inode_seed, out, start + count * EXT4_DX_ENTRY_SIZE);
	put_le32(tail + 4, crc32c(sum, tail, EXT4_DX_TAIL_SIZE));
}

static void put_root(uint8_t *out, const struct ext4_directory *d, uint32_t inode_seed)
{
	uint32_t end = put_dots(out, d);

	set_record_size(out + end / 2, EXT4_BLOCK_SIZE - end / 2);
	out[end + 4] = EXT4_HASH_HALF_MD4;
	out[end + 5] = EXT4_DX_INFO_LENGTH;
	out[end + 6] = d->nodes ? 1 : 0; /* indirect_levels */
	if (d->nodes)
		put_index(out, EXT4_DX_ROOT_ENTRIES, EXT4_DX_ROOT_LIMIT, d, 0, EXT4_DX_NODE_LIMIT,
			  d->nodes, 1, inode_seed);
	else
		put_index(out, EXT4_DX_ROOT_ENTRIES, EXT4_DX_ROOT_LIMIT, d, 0, 1, d->leaf_count, 1,
			  inode_seed);
}

static void put_node(uint8_t *out, const struct ext4_directory *d, uint32_t node,
		     uint32_t inode_seed)
{
	uint32_t first = node * EXT4_DX_NODE_LIMIT, left = d->leaf_count - first;

	set_record_size(out, EXT4_BLOCK_SIZE);
	put_index(out, EXT4_DX_NODE_ENTRIES, EXT4_DX_NODE_LIMIT, d, first, 1,
		  left < EXT4_DX_NODE_LIMIT ? left : EXT4_DX_NODE_LIMIT, 1 + d->nodes + first,
		  inode_seed);
}

void ext4_encode_directory(uint8_t out[EXT4_BLOCK_SIZE], const struct ext4_directory *d,
			   uint32_t block, uint32_t seed)
{
	uint32_t inode_seed = ext4_inode_seed(seed, d->self);

	memset(out, 0, EXT4_BLOCK_SIZE);
	if (d->blocks == 1) {
		uint32_t at = put_dots(out, d);

		put_names(out, at, at / 2, d, 0, d->count, inode_seed);
	} else if (block == 0) {
		put_root(out, d, inode_seed);
	} else if (block <= d->nodes) {
		put_node(out, d, block - 1, inode_seed);
	} else {
		put_leaf(out, d, block - 1 - d->nodes, inode_seed);
	}
}
