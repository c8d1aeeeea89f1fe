/* SPDX-License-Identifier: Apache-2.0 */
#include "content_table.h"

#include <assert.h>

int content_table_add(struct content_table *table, uint32_t block, uint64_t hash,
		      struct mkrootfs_error *error)
{
	uint8_t entry[CONTENT_ENTRY_SIZE];
	uint32_t count = content_table_count(table);

	assert(count == 0 || content_table_block(table, count - 1) < block);
	put_le32(entry, block);
	put_le64(entry + 4, hash);
	return buf_append(&table->bytes, entry, sizeof(entry), error);
}

void content_table_cut(struct content_table *table, uint32_t count)
{
	assert(count <= content_table_count(table));
	table->bytes.len = (size_t)count * CONTENT_ENTRY_SIZE;
}

void content_table_free(struct content_table *table)
{
	buf_free(&table->bytes);
}
