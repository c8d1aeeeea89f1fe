/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of all sources, and those of memory, files and callbacks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "chunk_source.h"
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static void keeps_lending_the_end(void **state)
{
	struct source *source = chunk_source("abc", 3, 2);
	struct mkrootfs_error error;
	const uint8_t *data;
	size_t len;

	(void)state;
	assert_int_equal(source_next(source, &data, &len, &error), 0);
	assert_int_equal(len, 2);
	assert_int_equal(source_next(source, &data, &len, &error), 0);
	assert_int_equal(len, 1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(source_next(source, &data, &len, &error), 0);
		assert_int_equal(len, 0);
	}
	source_close(source);
	source_close(NULL);
}

static void keeps_the_first_error(void **state)
{
	struct source *source = chunk_source_failing("", 0, 0);
	const uint8_t *data;
	size_t len;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct mkrootfs_error error = { 0 };

		assert_int_equal(source_next(source, &data, &len, &error), MKROOTFS_ERROR_IO);
		assert_int_equal(error.status, MKROOTFS_ERROR_IO);
		assert_string_equal(error.message, "the chunk source fails");
		assert_null(data);
		assert_int_equal(len, 0);
	}
	source_close(source);
}

static void reads_no_more_than_the_cap(void **state)
{
	struct mkrootfs_error error;
	struct buf out = BUF_INIT(5);
	struct source *source = chunk_source("12345", 5, 2);

	(void)state;
	assert_int_equal(source_read_all(&out, source, &error), 0);
	assert_string_equal((char *)out.data, "12345");
	source_close(source);
	buf_clear(&out);
	source = chunk_source("123456", 6, 2);
	assert_int_equal(source_read_all(&out, source, &error), MKROOTFS_ERROR_LIMIT);
	source_close(source);
	buf_free(&out);
}

static void drains_up_to_the_cap(void **state)
{
	struct mkrootfs_error error;
	struct source *source = chunk_source("12345", 5, 2);

	(void)state;
	assert_int_equal(source_drain(source, 5, &error), 0);
	source_close(source);
	source = chunk_source("12345", 5, 2);
	assert_int_equal(source_drain(source, 4, &error), MKROOTFS_ERROR_LIMIT);
	source_close(source);
	source = chunk_source_failing("12345", 5, 2);
	assert_int_equal(source_drain(source, 5, &error), MKROOTFS_ERROR_IO);
	source_close(source);
}

static void lends_memory_at_once(void **state)
{
	static const char text[] = "text";
	struct mkrootfs_error error;
	struct source *source;
	const uint8_t *data;
	size_t len;

	(void)state;
	assert_int_equal(source_memory(&source, text, 4, &error), 0);
	assert_int_equal(source_next(source, &data, &len, &error), 0);
	assert_ptr_equal(data, text);
	assert_int_equal(len, 4);
	assert_int_equal(source_next(source, &data, &len, &error), 0);
	assert_int_equal(len, 0);
	source_close(source);
	assert_int_equal(source_memory(&source, NULL, 0, &error), 0);
	assert_int_equal(source_next(source, &data, &len, &error), 0);
	assert_int_equal(len, 0);
	source_close(source);
}

static void write_whole(const char *path, const struct buf *content)
{
	int fd = open(path, O_WRONLY);

	assert_int_equal(write(fd, content->data, content->len), content->len);
	close(fd);
}

static void reads_a_file(void **state)
{
	struct buf content = stream_content(CONTENT_PADDED);
	char path[] = "/tmp/mkrootfs-test-XXXXXX";
	int fd = mkstemp(path);
	struct mkrootfs_error error;
	struct stream_result result;
	struct source *source;

	(void)state;
	assert_int_equal(write(fd, content.data, content.len), content.len);
	assert_int_equal(source_file(&source, path, &error), 0);
	result = stream_drain(source);
	assert_int_equal(result.status, 0);
	assert_int_equal(result.content.len, content.len);
	assert_memory_equal(result.content.data, content.data, content.len);
	stream_result_free(&result);

	/* a descriptor from where it stands */
	assert_int_equal(lseek(fd, 300000, SEEK_SET), 300000);
	assert_int_equal(source_fd(&source, fd, &error), 0);
	result = stream_drain(source);
	assert_int_equal(result.content.len, content.len - 300000);
	assert_memory_equal(result.content.data, content.data + 300000, result.content.len);
	assert_int_equal(fcntl(fd, F_GETFD), -1); /* closed with the source */
	stream_result_free(&result);
	unlink(path);
	buf_free(&content);
}

static void names_the_file_that_fails(void **state)
{
	struct mkrootfs_error error;
	struct stream_result result;
	struct source *source;

	(void)state;
	assert_int_equal(source_file(&source, "/nonexistent/layer.tar", &error),
			 MKROOTFS_ERROR_NOT_FOUND);
	assert_null(source);
	assert_int_equal(error.os_errno, ENOENT);
	assert_string_equal(error.message,
			    "open '/nonexistent/layer.tar': No such file or directory");
	assert_int_equal(source_file(&source, "/tmp", &error), MKROOTFS_ERROR_MALFORMED);
	assert_string_equal(error.message, "'/tmp' is no regular file");
	assert_int_equal(source_fd(&source, open("/tmp", O_RDONLY), &error), 0);
	result = stream_drain(source);
	assert_int_equal(result.status, MKROOTFS_ERROR_IO);
	assert_non_null(strstr(result.error.message, "read file descriptor "));
	stream_result_free(&result);
}

/* The reader finds nothing at first, and only then is written to. */
static void waits_for_a_pipe_that_does_not_block(void **state)
{
	struct mkrootfs_error error;
	struct stream_result result;
	struct source *source;
	int ends[2];
	pid_t child;

	(void)state;
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	child = fork();
	if (child == 0) {
		for (int i = 0; i < 3; i++) {
			usleep(20000);
			if (write(ends[1], "abc", 3) != 3)
				_exit(1);
		}
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(source_fd(&source, ends[0], &error), 0);
	result = stream_drain(source);
	assert_int_equal(result.status, 0);
	assert_int_equal(result.content.len, 9);
	assert_memory_equal(result.content.data, "abcabcabc", 9);
	stream_result_free(&result);
	waitpid(child, NULL, 0);
}

/* What a callback returns, call by call; the last one repeats. */
struct script {
	struct {
		int64_t result;
		int error; /* errno */
	} calls[4];
	size_t at;
};

static int64_t play(void *user, void *buffer, size_t size)
{
	struct script *script = user;
	size_t at = script->at < 3 ? script->at++ : 3;

	assert_true(size >= 4096);
	if (script->calls[at].result > 0)
		memset(buffer, 'a' + (int)at, size);
	errno = script->calls[at].error;
	return script->calls[at].result;
}

static const struct {
	struct script script;
	int status;
	const char *outcome; /* the content, or the message */
} callbacks[] = {
	{ { { { 2, 0 }, { 3, 0 }, { 0, 0 } }, 0 }, 0, "aabbb" },
	{ { { { 0, 0 } }, 0 }, 0, "" },
	{ { { { -1, EINTR }, { 2, EINTR }, { -1, EINTR }, { 0, 0 } }, 0 }, 0, "bb" },
	{ { { { -1, EPIPE } }, 0 }, MKROOTFS_ERROR_IO, "the read function failed: Broken pipe" },
	{ { { { 1, 0 }, { -1, 0 } }, 0 }, MKROOTFS_ERROR_IO, "the read function failed" },
	{ { { { -1, ECANCELED } }, 0 },
	  MKROOTFS_ERROR_CANCELLED,
	  "cancelled by the read function" },
	{ { { { 1 << 20, 0 } }, 0 },
	  MKROOTFS_ERROR_INVALID,
	  "the read function returned more bytes than it was asked for" },
};

/* Through wrappers, which hash and count what then stands in the room. */
static void puts_a_file_where_it_is_wanted(void **state)
{
	struct buf content = stream_content(CONTENT_PADDED);
	char path[] = "/tmp/mkrootfs-test-XXXXXX";
	static uint8_t room[100000];
	struct digest digest;
	const struct source_check check = { .size = (int64_t)content.len, .actual = &digest };
	struct mkrootfs_error error;
	struct source *file, *meter, *source;
	const uint8_t *data;
	size_t len, done = 0;

	(void)state;
	assert_int_equal(source_fd(&file, mkstemp(path), &error), 0);
	assert_int_equal(truncate(path, 0), 0);
	write_whole(path, &content);
	assert_int_equal(source_meter(&meter, file, UINT64_MAX, "file", NULL, NULL, &error), 0);
	assert_int_equal(source_verify(&source, meter, &check, &error), 0);
	for (size_t size = sizeof(room);; size = size / 2 + 1) {
		/* Every other time none is offered: what was offered before is not used again. */
		source_place(source, room, size);
		assert_int_equal(source_next(source, &data, &len, &error), 0);
		assert_true(len == 0 || data == room);
		assert_true(len <= size);
		assert_memory_equal(data, content.data + done, len);
		done += len;
		assert_int_equal(source_next(source, &data, &len, &error), 0);
		assert_true(data != room);
		assert_memory_equal(data, content.data + done, len);
		done += len;
		if (len == 0)
			break;
	}
	assert_int_equal(done, content.len);
	assert_int_equal(source_meter_done(meter), content.len);
	source_close(source);
	unlink(path);
	buf_free(&content);
}

static void asks_a_callback(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++) {
		struct script script = callbacks[i].script;
		struct mkrootfs_error error;
		struct stream_result result;
		struct source *source;

		assert_int_equal(source_callback(&source, play, &script, &error), 0);
		result = stream_drain(source);
		assert_int_equal(result.status, callbacks[i].status);
		if (result.status < 0)
			assert_string_equal(result.error.message, callbacks[i].outcome);
		else if (result.content.len > 0)
			assert_string_equal((char *)result.content.data, callbacks[i].outcome);
		else
			assert_string_equal("", callbacks[i].outcome);
		stream_result_free(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_lending_the_end),
		cmocka_unit_test(keeps_the_first_error),
		cmocka_unit_test(reads_no_more_than_the_cap),
		cmocka_unit_test(drains_up_to_the_cap),
		cmocka_unit_test(lends_memory_at_once),
		cmocka_unit_test(reads_a_file),
		cmocka_unit_test(names_the_file_that_fails),
		cmocka_unit_test(waits_for_a_pipe_that_does_not_block),
		cmocka_unit_test(puts_a_file_where_it_is_wanted),
		cmocka_unit_test(asks_a_callback),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
