/* SPDX-License-Identifier: Apache-2.0 */
#include "content_index.h"

#include "../base/hash.h"
#include "../base/pages.h"
#include "format.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COMPARE_SIZE (16u * EROFS_BLOCK_SIZE) /* bytes of each that are read at once */

/* Where the search for a content of that hash begins. */
static uint32_t home_of(const struct content_index *index, uint64_t hash)
{
	return (uint32_t)(hash_mix(index->seed, hash) >> 32);
}

static void place(struct content_index *index, uint64_t hash, uint32_t number)
{
	uint32_t at = home_of(index, hash);

	while (index->numbers[at & index->mask] != 0)
		at++;
	index->numbers[at & index->mask] = number;
}

static int grow(struct content_index *index, const struct content_table *table,
		struct mkrootfs_error *error)
{
	struct content_index bigger = *index;

	bigger.mask = index->numbers ? 2 * index->mask + 1 : 1023;
	bigger.seed = index->numbers ? index->seed : hash_seed(index);
	bigger.numbers = pages_zeroed((size_t)bigger.mask + 1, sizeof(*bigger.numbers));
	if (!bigger.numbers)
		return error_no_memory(error);
	for (uint32_t i = 0; index->numbers && i <= index->mask; i++) {
		uint32_t number = index->numbers[i];

		if (number != 0)
			place(&bigger, content_table_hash(table, number - 1), number);
	}
	free(index->numbers);
	*index = bigger;
	return 0;
}

static int same_bytes(struct content_index *index, bool *same, struct image_file *file, uint64_t a,
		      uint64_t b, uint64_t len, struct mkrootfs_error *error)
{
	uint8_t *bytes = index->compared ? index->compared : malloc(2 * COMPARE_SIZE);
	int status = bytes ? 0 : error_no_memory(error);

	index->compared = bytes;
	*same = true;
	for (uint64_t at = 0; status == 0 && *same && at < len; at += COMPARE_SIZE) {
		size_t part = len - at < COMPARE_SIZE ? (size_t)(len - at) : COMPARE_SIZE;

		status = image_file_read(file, a + at, bytes, part, error);
		if (status == 0)
			status = image_file_read(file, b + at, bytes + COMPARE_SIZE, part, error);
		*same = status == 0 && !memcmp(bytes, bytes + COMPARE_SIZE, part);
	}
	return status;
}

/* The extent that the table has last ends where the new content starts. */
static bool may_be_equal(const struct content_table *table, uint32_t number, uint64_t hash,
			 uint32_t block, uint64_t blocks)
{
	uint32_t start = content_table_block(table, number - 1);

	return content_table_hash(table, number - 1) == hash &&
	       content_table_end(table, number - 1, block) - start == blocks;
}

static int add(struct content_index *index, struct content_table *table, uint64_t hash,
	       uint32_t block, struct mkrootfs_error *error)
{
	int status = content_table_add(table, block, hash, error);

	if (status < 0)
		return status;
	place(index, hash, content_table_count(table));
	index->used++;
	return 0;
}

int content_index_find(struct content_index *index, uint32_t *found, struct content_table *table,
		       struct image_file *file, uint64_t hash, uint32_t block, uint64_t blocks,
		       struct mkrootfs_error *error)
{
	uint32_t at, number;
	bool same = false;
	int status = 0;

	*found = block;
	if (!index->numbers || index->used >= index->mask / 4 * 3)
		status = grow(index, table, error);
	for (at = home_of(index, hash);
	     status == 0 && !same && (number = index->numbers[at & index->mask]) != 0; at++) {
		uint32_t start = content_table_block(table, number - 1);

		if (!may_be_equal(table, number, hash, block, blocks))
			continue;
		status = same_bytes(index, &same, file, (uint64_t)start << EROFS_BLOCK_BITS,
				    (uint64_t)block << EROFS_BLOCK_BITS, blocks << EROFS_BLOCK_BITS,
				    error);
		if (same)
			*found = start;
	}
	return status == 0 && !same ? add(index, table, hash, block, error) : status;
}

void content_index_free(struct content_index *index)
{
	free(index->numbers);
	free(index->compared);
	*index = (struct content_index){ 0 };
}
