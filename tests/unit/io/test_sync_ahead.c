/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is synced by a thread while it is written. The kernel tells a failed write to one
 * sync only: when that was the thread's, the file must fail all the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/image_file.h"
#include "temp_folder.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#define PIECE (1u << 20)
#define LARGE 80u /* pieces of a file that has been synced before it is complete */

/* What stands in the place of the C library's fdatasync. */
static struct {
	pthread_t writer;
	int os_errno; /* of the first sync by another thread; 0: it succeeds */
	sem_t early;  /* posted by that */
	atomic_int by_writer, by_others;
} syncs;

int fdatasync(int fd)
{
	(void)fd;
	if (pthread_equal(pthread_self(), syncs.writer)) {
		atomic_fetch_add(&syncs.by_writer, 1);
		return 0;
	}
	if (atomic_fetch_add(&syncs.by_others, 1) > 0)
		return 0;
	sem_post(&syncs.early);
	errno = syncs.os_errno;
	return syncs.os_errno ? -1 : 0;
}

/* A file of some pieces, written. */
static struct image_file *start(const char *folder, int os_errno, bool early, unsigned pieces)
{
	static uint8_t piece[PIECE];
	struct mkrootfs_error error;
	struct image_file *file;

	syncs.writer = pthread_self();
	syncs.os_errno = os_errno;
	syncs.by_writer = syncs.by_others = 0;
	assert_int_equal(sem_init(&syncs.early, 0, 0), 0);
	assert_int_equal(image_file_create(&file, folder, &error), 0);
	if (early)
		image_file_sync_early(file);
	for (unsigned i = 0; i < pieces; i++) {
		memset(piece, (int)i, sizeof(piece));
		assert_int_equal(image_file_write(file, (uint64_t)i * PIECE, piece, PIECE, &error),
				 0);
	}
	return file;
}

static void wait_for_early_sync(void)
{
	while (sem_wait(&syncs.early) < 0)
		assert_int_equal(errno, EINTR);
}

static void one_that_fails_fails_the_commit(void **state)
{
	static const int causes[] = { EIO, ENOSPC, EDQUOT };
	struct mkrootfs_error error;
	struct temp_folder folder;

	(void)state;
	temp_folder_make(&folder);
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		struct image_file *file = start(folder.path, causes[i], true, LARGE);

		wait_for_early_sync();
		for (int again = 0; again < 2; again++) {
			assert_true(image_file_commit(file, temp_folder_path(&folder, "image"), 0,
						      &error) < 0);
			assert_int_equal(error.os_errno, causes[i]);
			assert_non_null(strstr(error.message, "sync a new file in '"));
		}
		image_file_close(file);
		assert_int_equal(syncs.by_others, 1);
		assert_int_equal(syncs.by_writer, 0);
		assert_int_equal(temp_folder_count(&folder), 0);
	}
	temp_folder_remove(&folder);
}

static void the_last_one_is_the_writers(void **state)
{
	struct mkrootfs_error error;
	struct temp_folder folder;
	struct image_file *file;

	(void)state;
	temp_folder_make(&folder);
	file = start(folder.path, 0, true, LARGE);
	wait_for_early_sync();
	assert_int_equal(image_file_commit(file, temp_folder_path(&folder, "image"), 0, &error), 0);
	image_file_close(file);
	assert_true(syncs.by_others > 0);
	assert_int_equal(syncs.by_writer, 1);
	assert_int_equal(temp_folder_count(&folder), 1);
	temp_folder_remove(&folder);
}

static void what_is_discarded_may_have_failed(void **state)
{
	struct temp_folder folder;
	struct image_file *file;

	(void)state;
	temp_folder_make(&folder);
	file = start(folder.path, EIO, true, LARGE);
	wait_for_early_sync();
	image_file_close(file);
	assert_int_equal(syncs.by_writer, 0);
	assert_int_equal(temp_folder_count(&folder), 0);
	temp_folder_remove(&folder);
}

static void none_comes_early_for_a_small_file_or_unasked(void **state)
{
	static const struct {
		bool early;
		unsigned pieces;
	} cases[] = { { true, 0 }, { true, 8 }, { false, LARGE } };
	struct mkrootfs_error error;
	struct temp_folder folder;

	(void)state;
	temp_folder_make(&folder);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct image_file *file = start(folder.path, EIO, cases[i].early, cases[i].pieces);

		assert_int_equal(image_file_commit(file, temp_folder_path(&folder, "image"),
						   IMAGE_FILE_REPLACE, &error),
				 0);
		image_file_close(file);
		assert_int_equal(syncs.by_others, 0);
		assert_int_equal(syncs.by_writer, 1);
	}
	temp_folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_fails_fails_the_commit),
		cmocka_unit_test(the_last_one_is_the_writers),
		cmocka_unit_test(what_is_discarded_may_have_failed),
		cmocka_unit_test(none_comes_early_for_a_small_file_or_unasked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
