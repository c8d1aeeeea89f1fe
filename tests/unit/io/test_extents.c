/* SPDX-License-Identifier: Apache-2.0 */
/* Several files read as one, over all borders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "io/extents.h"
#include "temp_folder.h"

static struct mkrootfs_error error;
static struct temp_folder folder;

static const char *file(const char *name, const char *text)
{
	const char *path = temp_folder_path(&folder, name);
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
	return path;
}

static int make(void **state)
{
	(void)state;
	temp_folder_make(&folder);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	temp_folder_remove(&folder);
	return 0;
}

/* "abcdefgh" from abc, nothing, d, nothing, efgh|ijk of which four bytes count, nothing. */
static struct extents *alphabet(void)
{
	static const struct {
		const char *name, *text;
		uint64_t size;
	} files[] = {
		{ "1", "abc", EXTENTS_WHOLE },
		{ "2", "", EXTENTS_WHOLE },
		{ "3", "d", 1 },
		{ "4", "xyz", 0 },
		{ "5", "efghijk", 4 },
		{ "6", "", EXTENTS_WHOLE },
	};
	struct extents *extents;

	assert_int_equal(extents_create(&extents, &error), 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (extents_add(extents, file(files[i].name, files[i].text), files[i].size,
				&error) < 0)
			fail_msg("%s", error.message);
	assert_int_equal(extents_size(extents), 8);
	assert_int_equal(extents_count(extents), 6);
	return extents;
}

static void reads_every_range(void **state)
{
	struct extents *extents = alphabet();
	char out[16];

	(void)state;
	for (size_t start = 0; start <= 8; start++)
		for (size_t len = 0; start + len <= 8; len++) {
			memset(out, 0, sizeof(out));
			assert_int_equal(extents_read(extents, start, out, len, &error), 0);
			assert_memory_equal(out, &"abcdefgh"[start], len);
			assert_int_equal(out[len], 0);
		}
	extents_close(extents);
}

static void refuses_what_is_past_the_end(void **state)
{
	struct extents *extents = alphabet();
	char out[16];

	(void)state;
	assert_int_equal(extents_read(extents, 8, out, 1, &error), MKROOTFS_ERROR_MALFORMED);
	assert_int_equal(extents_read(extents, 0, out, 9, &error), MKROOTFS_ERROR_MALFORMED);
	assert_int_equal(extents_read(extents, UINT64_MAX, out, 2, &error),
			 MKROOTFS_ERROR_MALFORMED);
	extents_close(extents);
	assert_int_equal(extents_create(&extents, &error), 0);
	assert_int_equal(extents_read(extents, 0, out, 0, &error), 0);
	assert_int_equal(extents_read(extents, 0, out, 1, &error), MKROOTFS_ERROR_MALFORMED);
	extents_close(extents);
}

static void tells_where_a_byte_is(void **state)
{
	static const struct {
		size_t index;
		uint64_t offset, left;
	} places[] = { { 0, 0, 3 }, { 0, 1, 2 }, { 0, 2, 1 }, { 2, 0, 1 },
		       { 4, 0, 4 }, { 4, 1, 3 }, { 4, 2, 2 }, { 4, 3, 1 } };
	struct extents *extents = alphabet();
	struct extent_place place;

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		char byte;

		assert_true(extents_find(&place, extents, i));
		assert_int_equal(place.index, places[i].index);
		assert_int_equal(place.offset, places[i].offset);
		assert_int_equal(place.left, places[i].left);
		assert_ptr_equal(place.path, extents_path(extents, place.index));
		assert_int_equal(pread(place.fd, &byte, 1, (off_t)place.offset), 1);
		assert_int_equal(byte, "abcdefgh"[i]);
	}
	assert_false(extents_find(&place, extents, 8));
	assert_int_equal(place.fd, -1);
	extents_close(extents);
}

static void refuses_what_is_no_such_file(void **state)
{
	struct extents *extents = alphabet();
	const char *fifo = temp_folder_path(&folder, "fifo");

	(void)state;
	assert_int_equal(extents_add(extents, temp_folder_path(&folder, "none"), 1, &error),
			 MKROOTFS_ERROR_NOT_FOUND);
	assert_int_equal(extents_add(extents, file("7", "ab"), 3, &error),
			 MKROOTFS_ERROR_MALFORMED);
	assert_non_null(strstr(error.message, "has 2 bytes where 3 must be"));
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(extents_add(extents, fifo, EXTENTS_WHOLE, &error),
			 MKROOTFS_ERROR_MALFORMED);
	assert_int_equal(extents_count(extents), 6);
	assert_int_equal(extents_size(extents), 8);
	extents_close(extents);
	extents_close(NULL);
}

static void says_which_file_became_shorter(void **state)
{
	struct extents *extents = alphabet();
	char out[8];

	(void)state;
	assert_int_equal(truncate(temp_folder_path(&folder, "5"), 2), 0);
	assert_int_equal(extents_read(extents, 0, out, 8, &error), MKROOTFS_ERROR_MALFORMED);
	assert_non_null(strstr(error.message, "/5' became shorter"));
	assert_int_equal(extents_read(extents, 0, out, 6, &error), 0);
	extents_close(extents);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_range),
		cmocka_unit_test(refuses_what_is_past_the_end),
		cmocka_unit_test(tells_where_a_byte_is),
		cmocka_unit_test(refuses_what_is_no_such_file),
		cmocka_unit_test(says_which_file_became_shorter),
	};

	return cmocka_run_group_tests(tests, make, clean);
}
