/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/source.h"

#include "chunk_source.h"

#define SIZE 1000000u

static struct mkrootfs_error error;
static uint8_t stream[SIZE];

static int open_file(const void *content, size_t size)
{
	char path[] = "/tmp/mkrootfs-kept-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, content, size), size);
	return fd;
}

static void read_and_compare(int fd, uint64_t kept, size_t chunk)
{
	struct buf all = BUF_INIT(2 * SIZE);
	struct source *rest, *source;

	rest = chunk_source(stream + kept, SIZE - kept, chunk);
	assert_int_equal(source_kept(&source, fd, kept, rest, 0, &error), 0);
	assert_int_equal(source_read_all(&all, source, &error), 0);
	source_close(source);
	assert_int_equal(all.len, SIZE);
	assert_memory_equal(all.data, stream, SIZE);
	buf_free(&all);
}

static void the_rest_is_put_behind_what_was_there(void **state)
{
	static const size_t kepts[] = { 0, 1, 262143, 262144, 262145, SIZE - 1, SIZE };
	static const size_t chunks[] = { 1000, 65535, 65536, 300000 };
	static uint8_t back[SIZE + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(kepts) / sizeof(kepts[0]); i++) {
		for (size_t j = 0; j < sizeof(chunks) / sizeof(chunks[0]); j++) {
			int fd = open_file(stream, kepts[i]);

			read_and_compare(fd, kepts[i], chunks[j]);
			assert_int_equal(pread(fd, back, sizeof(back), 0), SIZE);
			assert_memory_equal(back, stream, SIZE);
			close(fd);
		}
	}
}

static void a_stream_that_is_closed_early_leaves_what_came(void **state)
{
	int fd = open_file(stream, 10);
	struct source *rest, *source;
	static uint8_t back[SIZE];
	const uint8_t *data;
	size_t len;

	(void)state;
	rest = chunk_source(stream + 10, SIZE - 10, 100);
	assert_int_equal(source_kept(&source, fd, 10, rest, 0, &error), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(source_next(source, &data, &len, &error), 0);
	source_close(source);
	assert_int_equal(pread(fd, back, sizeof(back), 0), 310);
	assert_memory_equal(back, stream, 310);
	close(fd);
}

static void a_file_that_takes_nothing_fails_nothing(void **state)
{
	int fd = open("/dev/full", O_RDWR);

	(void)state;
	assert_true(fd >= 0);
	read_and_compare(fd, 0, 65536);
	close(fd);
}

static void a_file_that_became_shorter_is_an_error(void **state)
{
	int fd = open_file(stream, 100);
	struct source *rest, *source;
	const uint8_t *data;
	size_t len;

	(void)state;
	rest = chunk_source(stream, 0, 1);
	assert_int_equal(source_kept(&source, fd, 200, rest, 0, &error), 0);
	assert_int_equal(source_next(source, &data, &len, &error), MKROOTFS_ERROR_IO);
	source_close(source);
	close(fd);
}

/* What a stream of so many bytes left in the file, when 9 MiB had come as fast as can be. */
static uint64_t left_behind(uint64_t kept, uint64_t size)
{
	static uint8_t block[9 << 20];
	int fd = open_file(block, kept);
	struct buf all = BUF_INIT(sizeof(block));
	struct source *source;
	uint64_t left;

	assert_int_equal(source_kept(&source, fd, kept,
				     chunk_source(block, sizeof(block) - kept, 16384), size,
				     &error),
			 0);
	assert_int_equal(source_read_all(&all, source, &error), 0);
	source_close(source);
	assert_int_equal(all.len, sizeof(block));
	left = (uint64_t)lseek(fd, 0, SEEK_END);
	close(fd);
	buf_free(&all);
	return left;
}

static void what_comes_fast_is_not_kept(void **state)
{
	(void)state;
	assert_int_equal(left_behind(0, 9 << 20), 0);
	/* More than any machine reads in two seconds; and what is known to have been cut off. */
	assert_int_equal(left_behind(0, UINT64_C(1) << 50), 9 << 20);
	assert_int_equal(left_behind(0, 0), 9 << 20);
	assert_int_equal(left_behind(1000, 9 << 20), 9 << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rest_is_put_behind_what_was_there),
		cmocka_unit_test(a_stream_that_is_closed_early_leaves_what_came),
		cmocka_unit_test(a_file_that_takes_nothing_fails_nothing),
		cmocka_unit_test(a_file_that_became_shorter_is_an_error),
		cmocka_unit_test(what_comes_fast_is_not_kept),
	};

	for (size_t i = 0; i < SIZE; i++)
		stream[i] = (uint8_t)(i * 2654435761u >> 13);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
