/* SPDX-License-Identifier: Apache-2.0 */
/* mkrootfs_layer_convert with several threads: same bytes, callbacks on the caller's, no rests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mkrootfs.h>

#define BLOCK 512u
#define FILE_BLOCKS 16384u /* 8 MiB: more than all rings hold */
#define ODD_ENTRIES 50u	   /* of a type nobody knows: a warning for each */
#define BLOCKS (ODD_ENTRIES + 1 + FILE_BLOCKS + 2)

static struct mkrootfs_error error;
static char folder[64];

/* A tar that is made as it is read. */
struct stream {
	uint64_t block;
	uint64_t fail_at;  /* block at which reading fails; 0: none */
	uint64_t break_at; /* block that is damaged; 0: none */
	pthread_t owner;
	unsigned warnings, strangers, cancel_after; /* events; 0: never */
	unsigned events;
};

static void put_header(uint8_t *block, unsigned number, char type, unsigned size)
{
	unsigned sum = 0;

	memset(block, 0, BLOCK);
	snprintf((char *)block, 100, "file%u", number);
	memcpy(block + 100, "0000644\0000000000\0000000000", 24);
	snprintf((char *)block + 124, 12, "%011o", size);
	memcpy(block + 136, "00000000000", 12);
	memset(block + 148, ' ', 8);
	block[156] = (uint8_t)type;
	memcpy(block + 257, "ustar\00000", 8);
	for (unsigned i = 0; i < BLOCK; i++)
		sum += block[i];
	snprintf((char *)block + 148, 8, "%06o", sum);
}

static void put_block(uint8_t *out, uint64_t block)
{
	uint32_t value = (uint32_t)block * 2654435761u;

	memset(out, 0, BLOCK);
	if (block < ODD_ENTRIES)
		put_header(out, (unsigned)block, 'q', 0);
	else if (block == ODD_ENTRIES)
		put_header(out, (unsigned)block, '0', FILE_BLOCKS * BLOCK);
	else if (block < BLOCKS - 2)
		memcpy(out + block % 500, &value, sizeof(value));
}

static int64_t read_stream(void *user, void *buffer, size_t size)
{
	struct stream *stream = user;
	size_t done = 0;

	stream->strangers += !pthread_equal(stream->owner, pthread_self());
	while (done + BLOCK <= size && stream->block < BLOCKS) {
		if (stream->fail_at && stream->block == stream->fail_at) {
			errno = EIO;
			return -1;
		}
		put_block((uint8_t *)buffer + done, stream->block);
		if (stream->break_at && stream->block == stream->break_at)
			memset((uint8_t *)buffer + done, 'x', BLOCK);
		stream->block++;
		done += BLOCK;
	}
	return (int64_t)done;
}

static int listen(void *user, const struct mkrootfs_event *event)
{
	struct stream *stream = user;

	stream->strangers += !pthread_equal(stream->owner, pthread_self());
	stream->warnings += event->kind == MKROOTFS_EVENT_WARNING;
	return ++stream->events == stream->cancel_after;
}

static int convert(struct stream *stream, const char *name, unsigned threads, char *diff_id)
{
	const struct mkrootfs_layer_options options = { .events = listen,
							.events_user = stream,
							.threads = threads };
	char path[128];

	stream->owner = pthread_self();
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return mkrootfs_layer_convert(path, diff_id, read_stream, stream, &options, &error);
}

static void assert_same(const char *a, const char *b)
{
	char command[256];

	snprintf(command, sizeof(command), "cmp %s/%s %s/%s", folder, a, folder, b);
	assert_int_equal(system(command), 0);
}

static unsigned names_in_folder(void)
{
	DIR *dir = opendir(folder);
	unsigned count = 0;

	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

static void the_bytes_are_those_of_one_thread(void **state)
{
	static const unsigned threads[] = { 2, 3, 8, 0 };
	char one[MKROOTFS_DIGEST_SIZE], other[MKROOTFS_DIGEST_SIZE];
	struct stream single = { .block = 0 };

	(void)state;
	assert_int_equal(convert(&single, "one", 1, one), 0);
	assert_int_equal(single.warnings, ODD_ENTRIES);
	for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++) {
		struct stream stream = { .block = 0 };

		assert_int_equal(convert(&stream, "other", threads[i], other), 0);
		assert_string_equal(other, one);
		assert_same("one", "other");
		assert_int_equal(stream.warnings, ODD_ENTRIES);
		assert_int_equal(stream.strangers, 0);
		snprintf(other, sizeof(other), "%s/other", folder);
		assert_int_equal(unlink(other), 0);
	}
}

/* What goes wrong, with which status; the same with and without threads. */
static void what_fails_leaves_nothing(void **state)
{
	static const struct {
		struct stream stream;
		int status;
	} cases[] = {
		{ { .fail_at = BLOCKS / 2 }, MKROOTFS_ERROR_IO },
		{ { .fail_at = 1 }, MKROOTFS_ERROR_IO },
		{ { .break_at = ODD_ENTRIES / 2 }, MKROOTFS_ERROR_MALFORMED },
		{ { .break_at = BLOCKS - 2 }, MKROOTFS_ERROR_MALFORMED },
		{ { .cancel_after = 1 }, MKROOTFS_ERROR_CANCELLED },
		{ { .cancel_after = ODD_ENTRIES }, MKROOTFS_ERROR_CANCELLED },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(*cases); i++) {
		struct stream stream = cases[i / 2].stream;

		assert_int_equal(convert(&stream, "out", i % 2 ? 4 : 1, NULL), cases[i / 2].status);
		assert_int_equal(stream.strangers, 0);
		assert_int_equal(names_in_folder(), 0);
	}
}

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/mkrootfs-threads.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_bytes_are_those_of_one_thread, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(what_fails_leaves_nothing, make_folder,
						remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
