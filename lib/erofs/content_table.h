/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The extents of a data area in the order of their addresses, each with the XXH3 of its blocks: so
 * it is found out later whose bytes have changed. Extents leave no gaps: each ends where the next
 * one starts, the last one with the area.
 *
 *	struct content_table t = CONTENT_TABLE_INIT;
 *	content_table_add(&t, 1, hash, error);
 *	hash = content_table_hash(&t, 0);
 *	content_table_free(&t);
 *
 * It is kept as it stands on disk: 12 bytes for each extent, see docs/formats.md.
 */
#ifndef MKROOTFS_EROFS_CONTENT_TABLE_H
#define MKROOTFS_EROFS_CONTENT_TABLE_H

#include "../base/buf.h"
#include "../base/bytes.h"

#define CONTENT_ENTRY_SIZE 12u
/* In the place of a hash: all of the extent is zeros. A file with large holes costs no hashing. */
#define CONTENT_ZEROS 0u

struct content_table {
	struct buf bytes;
};

#define CONTENT_TABLE_INIT ((struct content_table){ BUF_INIT(SIZE_MAX / 2) })

/* block is higher than those before. */
int content_table_add(struct content_table *table, uint32_t block, uint64_t hash,
		      struct mkrootfs_error *error);
/* Forgets all but the first count extents. */
void content_table_cut(struct content_table *table, uint32_t count);
void content_table_free(struct content_table *table);

static inline uint32_t content_table_count(const struct content_table *table)
{
	return (uint32_t)(table->bytes.len / CONTENT_ENTRY_SIZE);
}

/* The first block of an extent. */
static inline uint32_t content_table_block(const struct content_table *table, uint32_t index)
{
	return get_le32(table->bytes.data + (size_t)index * CONTENT_ENTRY_SIZE);
}

static inline uint64_t content_table_hash(const struct content_table *table, uint32_t index)
{
	return get_le64(table->bytes.data + (size_t)index * CONTENT_ENTRY_SIZE + 4);
}

/* The block behind an extent of an area that ends before block area_end. */
static inline uint32_t content_table_end(const struct content_table *table, uint32_t index,
					 uint32_t area_end)
{
	return index + 1 < content_table_count(table) ? content_table_block(table, index + 1)
						      : area_end;
}

#endif
