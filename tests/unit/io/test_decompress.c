/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "chunk_source.h"
#include "streams.h"

static const struct {
	const char *file;
	enum compression found;
	enum stream_content content; /* of compressed ones; plain ones stay as they are */
} good[] = {
	{ "text", COMPRESSION_NONE, 0 },
	{ "make", COMPRESSION_NONE, 0 },
	{ "gzip-best.gz", COMPRESSION_GZIP, CONTENT_TEXT },
	{ "gzip-header.gz", COMPRESSION_GZIP, CONTENT_TEXT },
	{ "gzip-members.gz", COMPRESSION_GZIP, CONTENT_TEXT },
	{ "gzip-empty.gz", COMPRESSION_GZIP, CONTENT_EMPTY },
	{ "zstd-3.zst", COMPRESSION_ZSTD, CONTENT_TEXT },
	{ "zstd-skippable.zst", COMPRESSION_ZSTD, CONTENT_TEXT },
	{ "zstd-pzstd.zst", COMPRESSION_ZSTD, CONTENT_PADDED },
	{ "zstd-empty.zst", COMPRESSION_ZSTD, CONTENT_EMPTY },
	{ "name-bzip2.tar", COMPRESSION_NONE, 0 },
	{ "name-xz.tar", COMPRESSION_NONE, 0 },
	{ "name-lz4.tar", COMPRESSION_NONE, 0 },
};

static void check_content(const void *data, size_t len, size_t chunk, enum compression wanted,
			  const struct buf *content)
{
	struct mkrootfs_error error;
	struct stream_result result;
	enum compression found;
	struct source *source;

	assert_int_equal(source_decompress(&source, &found, chunk_source(data, len, chunk), &error),
			 0);
	assert_int_equal(found, wanted);
	result = stream_drain(source);
	assert_int_equal(result.status, 0);
	assert_int_equal(result.content.len, content->len);
	if (content->len > 0)
		assert_memory_equal(result.content.data, content->data, content->len);
	stream_result_free(&result);
}

static void finds_the_compression_by_the_first_bytes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct buf file = stream_fixture(good[i].file);
		struct buf content = good[i].found == COMPRESSION_NONE
					     ? stream_fixture(good[i].file)
					     : stream_content(good[i].content);

		for (size_t j = 0; j < STREAM_CHUNK_COUNT; j++)
			check_content(file.data, file.len, stream_chunks[j], good[i].found,
				      &content);
		buf_free(&content);
		buf_free(&file);
	}
}

/* Short streams that are no compressed data at all. */
static void passes_short_streams_on(void **state)
{
	static const struct {
		const char *data;
		size_t len;
	} cases[] = {
		{ "", 0 },
		{ "\0", 1 },
		{ "x", 1 },
		{ "B", 1 },
		{ "BZ", 2 },
		{ "BZh", 3 },
		{ "BZh0", 4 },
		{ "\x1f\x8c\x08", 3 },
		{ "\x1f\x8b\x07", 3 },
		{ "\xfd"
		  "7zXZ",
		  5 },
		{ "LZIP", 4 },
		{ "P*M\x19", 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf content = BUF_INIT(16);
		struct mkrootfs_error error;

		buf_append(&content, cases[i].data, cases[i].len, &error);
		check_content(cases[i].data, cases[i].len, 0, COMPRESSION_NONE, &content);
		check_content(cases[i].data, cases[i].len, 1, COMPRESSION_NONE, &content);
		buf_free(&content);
	}
}

static void reports_cut_streams_as_such(void **state)
{
	static const char *const files[] = { "gzip-best.gz", "zstd-3.zst" };

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct buf file = stream_fixture(files[i]);

		for (size_t len = 1; len < file.len; len++) {
			struct mkrootfs_error error;
			struct stream_result result;
			struct source *source;

			assert_int_equal(source_decompress(&source, NULL,
							   chunk_source(file.data, len, len % 2),
							   &error),
					 0);
			result = stream_drain(source);
			assert_int_equal(result.status, MKROOTFS_ERROR_MALFORMED);
			assert_non_null(strstr(result.error.message, "truncated"));
			stream_result_free(&result);
		}
		buf_free(&file);
	}
}

static void refuses_other_compressions_by_name(void **state)
{
	static const struct {
		const char *file;
		const char *message;
	} cases[] = {
		{ "other.xz", "compressed by xz; only gzip and zstd are supported" },
		{ "other.bz2", "compressed by bzip2; only gzip and zstd are supported" },
		{ "other.lz4", "compressed by lz4; only gzip and zstd are supported" },
		{ "other-legacy.lz4", "compressed by lz4; only gzip and zstd are supported" },
		{ "other.lz", "compressed by lzip; only gzip and zstd are supported" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf file = stream_fixture(cases[i].file);

		for (size_t j = 0; j < STREAM_CHUNK_COUNT; j++) {
			int closed = 0;
			struct source *source,
				*inner = chunk_source_counted(file.data, file.len, stream_chunks[j],
							      &closed);
			enum compression found = COMPRESSION_ZSTD;
			struct mkrootfs_error error;

			assert_int_equal(source_decompress(&source, &found, inner, &error),
					 MKROOTFS_ERROR_UNSUPPORTED);
			assert_string_equal(error.message, cases[i].message);
			assert_null(source);
			assert_int_equal(closed, 0); /* still ours */
			source_close(inner);
		}
		buf_free(&file);
	}
}

static void passes_the_inner_error_on(void **state)
{
	struct mkrootfs_error error;
	struct source *source, *inner = chunk_source_failing("", 0, 0);

	(void)state;
	assert_int_equal(source_decompress(&source, NULL, inner, &error), MKROOTFS_ERROR_IO);
	assert_null(source);
	source_close(inner);

	assert_int_equal(
		source_decompress(&source, NULL, chunk_source_failing("abc", 3, 0), &error), 0);
	{
		struct stream_result result = stream_drain(source);

		assert_int_equal(result.status, MKROOTFS_ERROR_IO);
		assert_int_equal(result.content.len, 3);
		stream_result_free(&result);
	}
}

/* Through wrappers, as the layer step has them. */
static void tells_of_dropped_bytes_through_wrappers(void **state)
{
	struct buf file = stream_fixture("gzip-best.gz");
	const struct source_check check = { .size = -1, .what = "blob" };
	struct source *verified, *plain, *metered;
	struct mkrootfs_error error;
	struct stream_result result;

	(void)state;
	buf_append(&file, "junk", 4, &error);
	assert_int_equal(
		source_decompress(&plain, NULL, chunk_source(file.data, file.len, 10), &error), 0);
	assert_int_equal(source_verify(&verified, plain, &check, &error), 0);
	assert_int_equal(source_meter(&metered, verified, UINT64_MAX, "tar", NULL, NULL, &error),
			 0);
	result = stream_drain(metered);
	assert_int_equal(result.status, 0);
	assert_int_equal(result.dropped, 4);
	stream_result_free(&result);
	buf_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_compression_by_the_first_bytes),
		cmocka_unit_test(passes_short_streams_on),
		cmocka_unit_test(reports_cut_streams_as_such),
		cmocka_unit_test(refuses_other_compressions_by_name),
		cmocka_unit_test(passes_the_inner_error_on),
		cmocka_unit_test(tells_of_dropped_bytes_through_wrappers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
