/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "chunk_source.h"
#include "streams.h"

static struct stream_result unzstd(struct source *inner)
{
	struct mkrootfs_error error;
	struct source *source;

	assert_int_equal(source_zstd(&source, inner, &error), 0);
	return stream_drain(source);
}

static bool same_content(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && (a->len == 0 || !memcmp(a->data, b->data, a->len));
}

static const struct {
	const char *file;
	enum stream_content content;
} good[] = {
	{ "zstd-3.zst", CONTENT_TEXT },		{ "zstd-no-check.zst", CONTENT_TEXT },
	{ "zstd-empty.zst", CONTENT_EMPTY },	{ "zstd-frames.zst", CONTENT_TEXT },
	{ "zstd-padded.zst", CONTENT_PADDED },	{ "zstd-pzstd.zst", CONTENT_PADDED },
	{ "zstd-skippable.zst", CONTENT_TEXT }, { "zstd-window-27.zst", CONTENT_TEXT },
};

static void reads_what_real_tools_write(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct buf file = stream_fixture(good[i].file);
		struct buf content = stream_content(good[i].content);

		for (size_t j = 0; j < STREAM_CHUNK_COUNT; j++) {
			struct stream_result result =
				unzstd(chunk_source(file.data, file.len, stream_chunks[j]));

			assert_int_equal(result.status, 0);
			assert_true(same_content(&result.content, &content));
			assert_int_equal(result.dropped, 0);
			stream_result_free(&result);
		}
		buf_free(&content);
		buf_free(&file);
	}
}

static void add_skippable(struct buf *file, uint8_t nibble, uint32_t len)
{
	struct mkrootfs_error error;
	uint8_t header[8], *body;

	put_le32(header, 0x184d2a50u + nibble);
	put_le32(header + 4, len);
	assert_int_equal(buf_append(file, header, sizeof(header), &error), 0);
	assert_int_equal(buf_grow(file, &body, len, &error), 0);
	memset(body, 0x28, len); /* the first byte of a frame's magic */
}

/* As zstd:chunked has it: large ones, at the start and at the end, several in a row. */
static void skips_large_skippable_frames(void **state)
{
	static const size_t chunks[] = { 0, 1, 4096, 65536 };
	struct buf content = stream_content(CONTENT_TEXT), frame = stream_fixture("zstd-3.zst");

	(void)state;
	for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
		struct buf file = BUF_INIT(4 << 20);
		struct stream_result result;
		struct mkrootfs_error error;

		add_skippable(&file, 0, 300 << 10);
		add_skippable(&file, 15, 3);
		buf_append(&file, frame.data, frame.len, &error);
		add_skippable(&file, 7, 700001);
		result = unzstd(chunk_source(file.data, file.len, chunks[i]));
		assert_int_equal(result.status, 0);
		assert_true(same_content(&result.content, &content));
		stream_result_free(&result);
		result = unzstd(chunk_source(file.data, file.len - 1, chunks[i]));
		assert_int_equal(result.status, MKROOTFS_ERROR_MALFORMED);
		assert_string_equal(result.error.message, "zstd data is truncated in frame 4");
		stream_result_free(&result);
		buf_free(&file);
	}
	buf_free(&frame);
	buf_free(&content);
}

static void refuses_a_stream_cut_at_any_byte(void **state)
{
	static const char *const files[] = { "zstd-3.zst", "zstd-no-check.zst", "zstd-empty.zst",
					     "zstd-padded.zst" };

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct buf file = stream_fixture(files[i]);

		for (size_t len = 0; len < file.len; len++) {
			struct stream_result result = unzstd(chunk_source(file.data, len, len % 5));

			assert_int_equal(result.status, MKROOTFS_ERROR_MALFORMED);
			assert_non_null(strstr(result.error.message, "truncated"));
			stream_result_free(&result);
		}
		buf_free(&file);
	}
}

static void tells_a_cut_frame_from_a_missing_one(void **state)
{
	struct buf file = stream_fixture("zstd-skippable.zst");
	size_t whole = 0, junk = 0;

	(void)state;
	for (size_t len = 4; len < file.len; len++) {
		struct stream_result result = unzstd(chunk_source(file.data, len, len % 3));

		if (result.status == 0 && result.dropped == 0)
			whole++;
		else if (result.status == 0)
			junk++;
		else
			assert_non_null(strstr(result.error.message, "truncated in frame"));
		stream_result_free(&result);
	}
	/* five frames: four ends before the file's own, each followed by 3 bytes of a magic */
	assert_int_equal(whole, 4);
	assert_int_equal(junk, 4 * 3);
	buf_free(&file);
}

static void notices_changed_bits(void **state)
{
	struct buf file = stream_fixture("zstd-3.zst"), content = stream_content(CONTENT_TEXT);

	(void)state;
	for (size_t bit = 0; bit < file.len * 8; bit += bit < 64 ? 1 : 7) {
		struct stream_result result;

		file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
		result = unzstd(chunk_source(file.data, file.len, bit % 4));
		file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
		if (result.status == 0)
			assert_true(same_content(&result.content, &content));
		else
			assert_in_range(result.status, -100, -1);
		stream_result_free(&result);
	}
	buf_free(&content);
	buf_free(&file);
}

static const struct {
	const char *tail;
	size_t len;
	int status;
	uint64_t dropped;
	const char *message;
} tails[] = {
	{ "\0", 1, 0, 0, NULL },
	{ "\0\0\0\0\0\0\0\0\0\0\0", 11, 0, 0, NULL },
	{ "abc", 3, 0, 3, NULL },
	{ "abcdefg", 7, 0, 7, NULL },
	{ "\0\0\0\0abc\0", 8, 0, 8, NULL },
	{ "\x28\xb5\x2f", 3, 0, 3, NULL },
	{ "\0\x28\xb5\x2f\xfd", 5, 0, 5, NULL },
	{ "\x28\xb5\x2f\xfd", 4, MKROOTFS_ERROR_MALFORMED, 0, "truncated in frame 2" },
	{ "\x5a\x2a\x4d\x18\x09\0\0\0 8 bytes", 16, MKROOTFS_ERROR_MALFORMED, 0,
	  "truncated in frame 2" },
	{ "\x5a\x2a\x4d\x18\x08\0\0\0 8 bytes", 16, 0, 0, NULL },
	{ "\x28\xb5\x2f\xfd\x08\0\0\0\0\0", 10, MKROOTFS_ERROR_MALFORMED, 0,
	  "zstd frame 2: Unsupported frame parameter" },
};

static void drops_what_follows_the_last_frame(void **state)
{
	struct buf content = stream_content(CONTENT_TEXT);

	(void)state;
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		for (size_t j = 0; j < STREAM_CHUNK_COUNT; j++) {
			struct buf file = stream_fixture("zstd-3.zst");
			struct stream_result result;
			struct mkrootfs_error error;

			buf_append(&file, tails[i].tail, tails[i].len, &error);
			result = unzstd(chunk_source(file.data, file.len, stream_chunks[j]));
			assert_int_equal(result.status, tails[i].status);
			assert_int_equal(result.dropped, tails[i].dropped);
			if (result.status == 0)
				assert_true(same_content(&result.content, &content));
			else
				assert_non_null(strstr(result.error.message, tails[i].message));
			stream_result_free(&result);
			buf_free(&file);
		}
	}
	buf_free(&content);
}

static void refuses_by_cause(void **state)
{
	static const struct {
		const char *file;
		int status;
		const char *message;
	} cases[] = {
		{ "zstd-window-28.zst", MKROOTFS_ERROR_LIMIT,
		  "zstd frame 1 needs a window of more than 128 MiB" },
		{ "zstd-dictionary.zst", MKROOTFS_ERROR_UNSUPPORTED,
		  "zstd frame 1 needs a dictionary" },
		{ "gzip-best.gz", MKROOTFS_ERROR_MALFORMED, "no zstd data: the magic is missing" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf file = stream_fixture(cases[i].file);
		struct stream_result result = unzstd(chunk_source(file.data, file.len, 1));

		assert_int_equal(result.status, cases[i].status);
		assert_string_equal(result.error.message, cases[i].message);
		stream_result_free(&result);
		buf_free(&file);
	}
}

/* Into memory of the caller's, of any size. */
static void puts_its_bytes_where_they_are_wanted(void **state)
{
	struct buf file = stream_fixture("zstd-frames.zst");
	struct buf content = stream_content(CONTENT_TEXT);
	struct mkrootfs_error error;
	static uint8_t room[5000];

	(void)state;
	for (size_t size = 1; size <= sizeof(room); size = size * 3 + 1) {
		struct source *source;
		const uint8_t *data;
		size_t len, done = 0;

		assert_int_equal(source_zstd(&source, chunk_source(file.data, file.len, 7), &error),
				 0);
		do {
			source_place(source, room, size);
			assert_int_equal(source_next(source, &data, &len, &error), 0);
			assert_true(len == 0 || (data == room && len <= size));
			assert_memory_equal(data, content.data + done, len);
			done += len;
		} while (len > 0);
		assert_int_equal(done, content.len);
		source_close(source);
	}
	buf_free(&content);
	buf_free(&file);
}

static void passes_the_inner_error_on(void **state)
{
	struct buf file = stream_fixture("zstd-skippable.zst");

	(void)state;
	for (size_t len = 0; len <= file.len; len += 7) {
		struct stream_result result = unzstd(chunk_source_failing(file.data, len, 5));

		assert_int_equal(result.status, MKROOTFS_ERROR_IO);
		assert_string_equal(result.error.message, "the chunk source fails");
		stream_result_free(&result);
	}
	buf_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_real_tools_write),
		cmocka_unit_test(skips_large_skippable_frames),
		cmocka_unit_test(refuses_a_stream_cut_at_any_byte),
		cmocka_unit_test(tells_a_cut_frame_from_a_missing_one),
		cmocka_unit_test(notices_changed_bits),
		cmocka_unit_test(drops_what_follows_the_last_frame),
		cmocka_unit_test(refuses_by_cause),
		cmocka_unit_test(puts_its_bytes_where_they_are_wanted),
		cmocka_unit_test(passes_the_inner_error_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
