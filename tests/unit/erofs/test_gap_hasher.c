/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of a content with gaps depends on the content alone, however a stream cut it into
 * pieces; and its entries are what plain XXH3 gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "erofs/format.h"
#include "erofs/gap_hasher.h"

#define START (3u * EROFS_BLOCK_SIZE)
#define BLOCKS 100u

static struct mkrootfs_error error;

struct run {
	uint64_t at; /* bytes from START */
	size_t len;
};

/* The content as memory holds it, to compare with. */
static uint8_t content[BLOCKS * EROFS_BLOCK_SIZE];

static void fill(const struct run *runs)
{
	memset(content, 0, sizeof(content));
	for (; runs->len; runs++)
		for (size_t i = 0; i < runs->len; i++)
			content[runs->at + i] = (uint8_t)(runs->at + i * 7) | 1;
}

static void hash_in_pieces(struct content_table *table, const struct run *runs, size_t piece)
{
	struct gap_hasher hasher;
	struct xxh3 *hash;

	assert_int_equal(xxh3_create(&hash, &error), 0);
	gap_hasher_begin(&hasher, hash, table, START);
	for (; runs->len; runs++)
		for (size_t done = 0; done < runs->len; done += piece) {
			size_t left = runs->len - done;

			assert_int_equal(gap_hasher_piece(&hasher, START + runs->at + done,
							  content + runs->at + done,
							  left < piece ? left : piece, &error),
					 0);
		}
	assert_int_equal(gap_hasher_end(&hasher, START + sizeof(content), &error), 0);
	xxh3_free(hash);
}

/* Each entry is right, and they fill the content without a gap. */
static void assert_covers(const struct content_table *table, uint32_t entries)
{
	uint32_t end = START / EROFS_BLOCK_SIZE + BLOCKS;

	assert_int_equal(content_table_count(table), entries);
	assert_int_equal(content_table_block(table, 0), START / EROFS_BLOCK_SIZE);
	for (uint32_t i = 0; i < entries; i++) {
		size_t from = (size_t)content_table_block(table, i) * EROFS_BLOCK_SIZE - START;
		size_t to = (size_t)content_table_end(table, i, end) * EROFS_BLOCK_SIZE - START;

		if (content_table_hash(table, i) != CONTENT_ZEROS) {
			assert_true(content_table_hash(table, i) ==
				    xxh3_64(content + from, to - from, 0));
			continue;
		}
		for (size_t at = from; at < to; at++)
			assert_int_equal(content[at], 0);
	}
}

static void tables_depend_on_the_content_alone(void **state)
{
	static const struct {
		struct run runs[4];
		uint32_t entries;
	} cases[] = {
		{ { { 0, sizeof(content) } }, 1 },
		{ { { 0, 1 } }, 2 },
		{ { { sizeof(content) - 1, 1 } }, 2 },
		{ { { 5, 5000 }, { 20000, 6 } }, 2 },
		/* A gap of 64 KiB, and one that is a byte short of it. */
		{ { { 0, 4096 }, { 4096 + 65536, 4096 } }, 4 },
		{ { { 0, 4097 }, { 4096 + 65536, sizeof(content) - 4096 - 65536 } }, 1 },
		{ { { 100, 10 }, { 150000, 3 }, { 300000, 9 } }, 6 },
	};
	static const size_t pieces[] = { SIZE_MAX / 2, 4096, 1000, 1 };
	/* The archive may have the zeros in it instead of a gap. */
	static const struct run everything[] = { { 0, sizeof(content) }, { 0, 0 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct content_table tables[8];

		fill(cases[i].runs);
		for (size_t j = 0; j < 8; j++) {
			tables[j] = CONTENT_TABLE_INIT;
			hash_in_pieces(&tables[j], j < 4 ? cases[i].runs : everything,
				       pieces[j % 4]);
			assert_int_equal(tables[j].bytes.len, tables[0].bytes.len);
			assert_memory_equal(tables[j].bytes.data, tables[0].bytes.data,
					    tables[0].bytes.len);
		}
		assert_covers(&tables[0], cases[i].entries);
		for (size_t j = 0; j < 8; j++)
			content_table_free(&tables[j]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(tables_depend_on_the_content_alone) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
