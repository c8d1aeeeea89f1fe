/* SPDX-License-Identifier: Apache-2.0 */
/* Each test runs all engines of the build: the same bytes and the same verdicts are wanted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "chunk_source.h"
#include "io/inflate.h"
#include "streams.h"

#include <zlib.h>

static const struct {
	const char *file;
	enum stream_content content;
} good[] = {
	{ "gzip-fast.gz", CONTENT_TEXT },     { "gzip-best.gz", CONTENT_TEXT },
	{ "gzip-stored.gz", CONTENT_TEXT },   { "gzip-fixed.gz", CONTENT_HELLO },
	{ "gzip-empty.gz", CONTENT_EMPTY },   { "gzip-named.gz", CONTENT_TEXT },
	{ "gzip-comment.gz", CONTENT_TEXT },  { "gzip-header.gz", CONTENT_TEXT },
	{ "gzip-blocks.gz", CONTENT_PADDED }, { "gzip-members.gz", CONTENT_TEXT },
};

#define GOOD_COUNT (sizeof(good) / sizeof(good[0]))

/* Closes inner also on failure. */
static struct stream_result gunzip(const struct inflate_engine *engine, struct source *inner)
{
	struct mkrootfs_error error;
	struct source *source;

	assert_int_equal(source_gunzip_by(&source, inner, engine, &error), 0);
	return stream_drain(source);
}

static bool same_content(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && (a->len == 0 || !memcmp(a->data, b->data, a->len));
}

/* By all engines, which must agree, also that message is part of the error; the first's result. */
static struct stream_result gunzip_by_all(const void *data, size_t len, size_t chunk,
					  const char *message)
{
	const struct inflate_engine *const *engine = inflate_engines();
	struct stream_result first = gunzip(*engine, chunk_source(data, len, chunk));

	while (*++engine) {
		struct stream_result other = gunzip(*engine, chunk_source(data, len, chunk));

		assert_int_equal(other.status, first.status);
		assert_int_equal(other.dropped, first.dropped);
		if (first.status == 0)
			assert_true(same_content(&other.content, &first.content));
		else
			assert_non_null(strstr(other.error.message, message));
		stream_result_free(&other);
	}
	if (first.status < 0)
		assert_non_null(strstr(first.error.message, message));
	return first;
}

static void reads_what_real_tools_write(void **state)
{
	(void)state;
	for (size_t i = 0; i < GOOD_COUNT; i++) {
		struct buf file = stream_fixture(good[i].file);
		struct buf content = stream_content(good[i].content);

		for (size_t j = 0; j < STREAM_CHUNK_COUNT; j++) {
			struct stream_result result =
				gunzip_by_all(file.data, file.len, stream_chunks[j], "");

			assert_int_equal(result.status, 0);
			assert_true(same_content(&result.content, &content));
			assert_int_equal(result.dropped, 0);
			stream_result_free(&result);
		}
		buf_free(&content);
		buf_free(&file);
	}
}

/* A file of one member, cut anywhere, is malformed, and says that it is cut. */
static void refuses_a_stream_cut_at_any_byte(void **state)
{
	static const char *const files[] = { "gzip-best.gz",  "gzip-header.gz", "gzip-stored.gz",
					     "gzip-fixed.gz", "gzip-blocks.gz", "gzip-empty.gz" };

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct buf file = stream_fixture(files[i]);

		for (size_t len = 0; len < file.len; len++) {
			struct stream_result result =
				gunzip_by_all(file.data, len, len % 5, "truncated");

			assert_int_equal(result.status, MKROOTFS_ERROR_MALFORMED);
			stream_result_free(&result);
		}
		buf_free(&file);
	}
}

/* Bytes at which the members of gzip-members.gz end, found by their magic. */
static size_t member_ends(size_t ends[3], const struct buf *file)
{
	size_t count = 0;

	for (size_t i = 1; i + 3 < file->len; i++)
		if (!memcmp(file->data + i, "\x1f\x8b\x08\0", 4) && count < 2)
			ends[count++] = i;
	ends[count++] = file->len;
	return count;
}

static void tells_a_cut_member_from_a_missing_one(void **state)
{
	struct buf file = stream_fixture("gzip-members.gz");
	size_t ends[3];

	(void)state;
	assert_int_equal(member_ends(ends, &file), 3);
	for (size_t len = 1; len < file.len; len++) {
		struct stream_result result = gunzip_by_all(file.data, len, len % 3, "truncated");
		bool whole = len == ends[0] || len == ends[1];
		bool junk = len == ends[0] + 1 || len == ends[1] + 1; /* a lone 1f */

		assert_int_equal(result.status, whole || junk ? 0 : MKROOTFS_ERROR_MALFORMED);
		assert_int_equal(result.dropped, junk);
		if (whole || junk)
			assert_int_equal(result.content.len, 333);
		stream_result_free(&result);
	}
	buf_free(&file);
}

/* Changes one bit, decodes, and changes it back. True when that went unnoticed. */
static bool hides_change(struct buf *file, size_t bit, const struct buf *content)
{
	struct stream_result result;
	bool hides;

	file->data[bit / 8] ^= (uint8_t)(1 << bit % 8);
	result = gunzip_by_all(file->data, file->len, bit % 4, "");
	file->data[bit / 8] ^= (uint8_t)(1 << bit % 8);
	hides = result.status == 0;
	if (hides)
		assert_true(same_content(&result.content, content));
	else
		assert_int_equal(result.status, MKROOTFS_ERROR_MALFORMED);
	stream_result_free(&result);
	return hides;
}

/* All bits of the first and last 12 bytes, and between them every seventh. */
static size_t next_bit(size_t bit, size_t len)
{
	return bit / 8 < 12 || bit / 8 + 13 > len ? bit + 1 : bit + 7;
}

static void notices_changed_bits(void **state)
{
	static const struct {
		const char *file;
		size_t hidden; /* bits that nothing depends on */
	} cases[] = {
		/* FTEXT, MTIME, XFL and OS; what the last byte of deflate data has left */
		{ "gzip-best.gz", 1 + 32 + 8 + 8 + 3 },
		/* the same; the bits before a stored block's length */
		{ "gzip-stored.gz", 1 + 32 + 8 + 8 + 5 },
		/* its header has a CRC */
		{ "gzip-header.gz", 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf file = stream_fixture(cases[i].file);
		struct buf content = stream_content(CONTENT_TEXT);
		size_t hidden = 0;

		for (size_t bit = 0; bit < file.len * 8; bit = next_bit(bit, file.len))
			hidden += hides_change(&file, bit, &content);
		assert_int_equal(hidden, cases[i].hidden);
		buf_free(&content);
		buf_free(&file);
	}
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
	{ "\0\0\0abc\0", 7, 0, 7, NULL },
	{ "\x1f", 1, 0, 1, NULL },
	{ "\x1f\x1f\x8b\x08", 4, 0, 4, NULL },
	{ "\0\x1f\x8b\x08", 4, 0, 4, NULL },
	{ "\x1f\x8b", 2, MKROOTFS_ERROR_MALFORMED, 0, "truncated in the header of member 2" },
	{ "\x1f\x8b\x07\0\0\0\0\0\0\0", 10, MKROOTFS_ERROR_MALFORMED, 0, "unknown compression" },
	{ "\x1f\x8b\x08\x20\0\0\0\0\0\0", 10, MKROOTFS_ERROR_MALFORMED, 0, "reserved flags" },
	{ "\x1f\x8b\x08\0\0\0\0\0\0\0\7", 11, MKROOTFS_ERROR_MALFORMED, 0,
	  "data of member 2: invalid deflate data" },
};

static void drops_what_follows_the_last_member(void **state)
{
	struct buf content = stream_content(CONTENT_TEXT);

	(void)state;
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		for (size_t j = 0; j < STREAM_CHUNK_COUNT; j++) {
			struct buf file = stream_fixture("gzip-best.gz");
			struct stream_result result;
			struct mkrootfs_error error;

			buf_append(&file, tails[i].tail, tails[i].len, &error);
			result = gunzip_by_all(file.data, file.len, stream_chunks[j],
					       tails[i].message);
			assert_int_equal(result.status, tails[i].status);
			assert_int_equal(result.dropped, tails[i].dropped);
			if (result.status == 0)
				assert_true(same_content(&result.content, &content));
			stream_result_free(&result);
			buf_free(&file);
		}
	}
	buf_free(&content);
}

/* Changes of gzip-header.gz at an offset from its start, or its end where negative. */
static const struct {
	int offset;
	uint8_t byte;
	const char *message;
} broken[] = {
	{ 0, 0x1e, "the magic is missing" },
	{ 1, 0x8a, "the magic is missing" },
	{ 2, 9, "gzip header of member 1: unknown compression method 9" },
	{ 3, 0xfe, "gzip header of member 1: reserved flags 0xe0 are set" },
	{ 4, 0xff, "gzip header of member 1: its CRC-16 is" },
	{ 15, 'X', "gzip header of member 1: its CRC-16 is" },
	{ -8, 0xee, "gzip data of member 1 has CRC-32" },
	{ -4, 0, "gzip data of member 1 has 1092 bytes (modulo 2^32), its trailer says 1024" },
};

static void names_what_is_broken(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct buf file = stream_fixture("gzip-header.gz");
		int at = broken[i].offset;
		struct stream_result result;

		file.data[at < 0 ? file.len - (size_t)-at : (size_t)at] = broken[i].byte;
		result = gunzip_by_all(file.data, file.len, i % 3, broken[i].message);
		assert_int_equal(result.status, MKROOTFS_ERROR_MALFORMED);
		stream_result_free(&result);
		buf_free(&file);
	}
}

static void passes_the_inner_error_on(void **state)
{
	struct buf file = stream_fixture("gzip-best.gz");

	(void)state;
	for (const struct inflate_engine *const *engine = inflate_engines(); *engine; engine++) {
		for (size_t len = 0; len <= file.len; len += 7) {
			struct stream_result result =
				gunzip(*engine, chunk_source_failing(file.data, len, 5));

			assert_int_equal(result.status, MKROOTFS_ERROR_IO);
			assert_string_equal(result.error.message, "the chunk source fails");
			stream_result_free(&result);
		}
	}
	buf_free(&file);
}

static void takes_the_inner_source(void **state)
{
	struct buf file = stream_fixture("gzip-best.gz");
	struct mkrootfs_error error;
	struct source *source;
	int closed = 0;

	(void)state;
	assert_int_equal(source_gunzip(&source,
				       chunk_source_counted(file.data, file.len, 9, &closed),
				       &error),
			 0);
	assert_int_equal(closed, 0);
	source_close(source);
	assert_int_equal(closed, 1);
	buf_free(&file);
}

#define SEGMENT (16u << 20)	 /* bytes of zeros that are compressed once and then repeated */
#define SEGMENTS (256u + 1)	 /* past 4 GiB */
#define SEGMENT_ROOM (64u << 10) /* bytes, more than a compressed segment takes */

/* One segment, ended by a full flush so that it can be repeated; and the empty last block. */
static size_t deflate_segment(uint8_t *out, size_t room, int flush, size_t len)
{
	static uint8_t zeros[SEGMENT];
	z_stream stream = { .next_in = zeros, .avail_in = (uInt)len };

	assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
	stream.next_out = out;
	stream.avail_out = (uInt)room;
	deflate(&stream, flush);
	assert_int_equal(stream.avail_in, 0);
	deflateEnd(&stream);
	return room - stream.avail_out;
}

/* A member of 4 GiB and 16 MiB. */
static void make_huge(struct buf *file)
{
	static uint8_t segment[SEGMENT_ROOM];
	static const uint8_t header[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 }, zero[4096];
	struct mkrootfs_error error;
	uint8_t trailer[8];
	uLong crc = crc32(0, NULL, 0), part = crc;
	size_t len = deflate_segment(segment, sizeof(segment), Z_FULL_FLUSH, SEGMENT);

	for (size_t i = 0; i < SEGMENT; i += sizeof(zero))
		part = crc32(part, zero, sizeof(zero));
	buf_append(file, header, sizeof(header), &error);
	for (size_t i = 0; i < SEGMENTS; i++) {
		assert_int_equal(buf_append(file, segment, len, &error), 0);
		crc = crc32_combine(crc, part, SEGMENT);
	}
	len = deflate_segment(segment, sizeof(segment), Z_FINISH, 0);
	buf_append(file, segment, len, &error);
	put_le32(trailer, (uint32_t)crc);
	put_le32(trailer + 4, (uint32_t)((uint64_t)SEGMENT * SEGMENTS));
	buf_append(file, trailer, sizeof(trailer), &error);
}

static void counts_past_4_gib(void **state)
{
	struct buf file = BUF_INIT(64 << 20);
	struct mkrootfs_error error;
	struct source *memory, *source;
	uint64_t total = 0;
	const uint8_t *data;
	size_t len;

	(void)state;
	make_huge(&file);
	assert_int_equal(source_memory(&memory, file.data, file.len, &error), 0);
	assert_int_equal(source_gunzip(&source, memory, &error), 0);
	do {
		assert_int_equal(source_next(source, &data, &len, &error), 0);
		total += len;
	} while (len > 0);
	assert_int_equal(total, (uint64_t)SEGMENT * SEGMENTS);
	source_close(source);
	buf_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_real_tools_write),
		cmocka_unit_test(refuses_a_stream_cut_at_any_byte),
		cmocka_unit_test(tells_a_cut_member_from_a_missing_one),
		cmocka_unit_test(notices_changed_bits),
		cmocka_unit_test(drops_what_follows_the_last_member),
		cmocka_unit_test(names_what_is_broken),
		cmocka_unit_test(passes_the_inner_error_on),
		cmocka_unit_test(takes_the_inner_source),
		cmocka_unit_test(counts_past_4_gib),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
