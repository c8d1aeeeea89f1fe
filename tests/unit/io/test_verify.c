/* SPDX-License-Identifier: Apache-2.0 */
/* The sources that pass bytes through and check them: verify and meter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "chunk_source.h"
#include "streams.h"

/* As sha256sum and sha512sum print them. */
#define SHA256_ABC "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define SHA256_NONE "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define SHA512_ABC                                                                \
	"sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a" \
	"2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"

static const struct {
	const char *content;
	const char *expected; /* NULL: none */
	int64_t size;
	int status;
	const char *message;
} checks[] = {
	{ "abc", SHA256_ABC, 3, 0, NULL },
	{ "abc", SHA256_ABC, -1, 0, NULL },
	{ "abc", SHA512_ABC, 3, 0, NULL },
	{ "", SHA256_NONE, 0, 0, NULL },
	{ "abc", NULL, 3, 0, NULL },
	{ "abc", NULL, -1, 0, NULL },
	{ "", NULL, 0, 0, NULL },
	{ "abc", SHA256_NONE, 3, MKROOTFS_ERROR_DIGEST,
	  "blob has digest " SHA256_ABC ", expected " SHA256_NONE },
	{ "", SHA256_ABC, -1, MKROOTFS_ERROR_DIGEST,
	  "blob has digest " SHA256_NONE ", expected " SHA256_ABC },
	{ "abc", SHA256_ABC, 4, MKROOTFS_ERROR_DIGEST, "blob has 3 bytes, expected 4" },
	{ "abc", SHA256_ABC, 2, MKROOTFS_ERROR_DIGEST, "blob has more than the expected 2 bytes" },
	{ "abc", NULL, 0, MKROOTFS_ERROR_DIGEST, "blob has more than the expected 0 bytes" },
	{ "", NULL, 1, MKROOTFS_ERROR_DIGEST, "blob has 0 bytes, expected 1" },
};

static void check_one(size_t i, size_t chunk)
{
	struct source_check check = { .size = checks[i].size, .what = "blob" };
	size_t len = strlen(checks[i].content);
	struct mkrootfs_error error;
	struct stream_result result;
	struct digest expected;
	struct source *source;

	if (checks[i].expected) {
		assert_int_equal(digest_parse(&expected, checks[i].expected, &error), 0);
		check.expected = &expected;
	}
	assert_int_equal(
		source_verify(&source, chunk_source(checks[i].content, len, chunk), &check, &error),
		0);
	memset(&expected, 0, sizeof(expected)); /* it was copied */
	result = stream_drain(source);
	assert_int_equal(result.status, checks[i].status);
	if (result.status < 0)
		assert_string_equal(result.error.message, checks[i].message);
	if (checks[i].size >= 0)
		assert_true(result.content.len <= (uint64_t)checks[i].size);
	stream_result_free(&result);
}

static void compares_digest_and_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		check_one(i, 0);
		check_one(i, 1);
		check_one(i, 2);
	}
}

static void gives_the_digest_that_it_found(void **state)
{
	static const struct {
		enum digest_algorithm algorithm;
		const char *text;
	} cases[] = {
		{ 0, SHA256_ABC },
		{ DIGEST_SHA256, SHA256_ABC },
		{ DIGEST_SHA512, SHA512_ABC },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct digest actual = { 0 };
		struct source_check check = { .size = -1,
					      .what = "layer",
					      .algorithm = cases[i].algorithm,
					      .actual = &actual };
		char text[DIGEST_TEXT_SIZE];
		struct mkrootfs_error error;
		struct source *source;

		assert_int_equal(source_verify(&source, chunk_source("abc", 3, 1), &check, &error),
				 0);
		assert_int_equal(source_drain(source, UINT64_MAX, &error), 0);
		source_close(source);
		digest_format(text, &actual);
		assert_string_equal(text, cases[i].text);
	}
}

/* An error below is the one that is told, not the mismatch that follows from it. */
static void passes_the_inner_error_on(void **state)
{
	const struct source_check check = { .size = 9, .what = "blob" };
	struct mkrootfs_error error;
	struct source *source;

	(void)state;
	assert_int_equal(source_verify(&source, chunk_source_failing("abc", 3, 1), &check, &error),
			 0);
	assert_int_equal(source_drain(source, UINT64_MAX, &error), MKROOTFS_ERROR_IO);
	source_close(source);
}

static void closes_the_inner_source(void **state)
{
	const struct source_check check = { .size = -1, .what = "blob" };
	struct source *verified, *metered;
	struct mkrootfs_error error;
	int closed = 0;

	(void)state;
	assert_int_equal(source_verify(&verified, chunk_source_counted("abc", 3, 1, &closed),
				       &check, &error),
			 0);
	assert_int_equal(source_meter(&metered, verified, 9, "blob", NULL, NULL, &error), 0);
	source_close(metered);
	assert_int_equal(closed, 1);
}

static void meters_against_a_cap(void **state)
{
	static const struct {
		size_t len;
		uint64_t cap;
		int status;
	} cases[] = {
		{ 0, 0, 0 },
		{ 1, 0, MKROOTFS_ERROR_LIMIT },
		{ 100, 100, 0 },
		{ 101, 100, MKROOTFS_ERROR_LIMIT },
		{ 1000, UINT64_MAX, 0 },
	};
	static const uint8_t zeros[1000];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mkrootfs_error error;
		struct stream_result result;
		struct source *source;

		assert_int_equal(source_meter(&source, chunk_source(zeros, cases[i].len, 7),
					      cases[i].cap, "unpacked layer", NULL, NULL, &error),
				 0);
		result = stream_drain(source);
		assert_int_equal(result.status, cases[i].status);
		if (result.status == 0)
			assert_int_equal(result.content.len, cases[i].len);
		else
			assert_true(result.content.len <= cases[i].cap);
		if (cases[i].cap == 100 && result.status < 0)
			assert_string_equal(result.error.message,
					    "unpacked layer has more than the allowed 100 bytes");
		stream_result_free(&result);
	}
}

/* The packed bytes have passed before; the unpacked ones come by sevens. */
static void ratio_counts_from_its_floor_on(void **state)
{
	static const struct {
		size_t packed, unpacked;
		uint32_t ratio;
		uint64_t free;
		int status;
	} cases[] = {
		{ 1, 10, 10, 0, 0 },
		{ 1, 11, 10, 0, MKROOTFS_ERROR_LIMIT },
		{ 7, 70, 10, 0, 0 },
		{ 7, 71, 10, 0, MKROOTFS_ERROR_LIMIT },
		{ 1, 500, 10, 500, 0 },
		{ 1, 501, 10, 500, MKROOTFS_ERROR_LIMIT },
		{ 0, 1, UINT32_MAX, 0, MKROOTFS_ERROR_LIMIT },
		{ 0, 0, 1, 0, 0 },
		{ 1000, 1000, 1, 0, 0 },
	};
	static const uint8_t zeros[1000];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct source_ratio rule = { .ratio = cases[i].ratio,
					     .free = cases[i].free,
					     .what = "layer" };
		struct mkrootfs_error error;
		struct stream_result result;
		struct source *packed, *source;

		assert_int_equal(source_meter(&packed,
					      chunk_source(zeros, cases[i].packed, SIZE_MAX),
					      UINT64_MAX, "blob", NULL, NULL, &error),
				 0);
		assert_int_equal(source_drain(packed, UINT64_MAX, &error), 0);
		assert_int_equal(source_meter_done(packed), cases[i].packed);
		rule.packed = packed;
		assert_int_equal(source_ratio(&source, chunk_source(zeros, cases[i].unpacked, 7),
					      &rule, &error),
				 0);
		result = stream_drain(source);
		assert_int_equal(result.status, cases[i].status);
		stream_result_free(&result);
		source_close(packed);
	}
}

struct progress {
	uint64_t last;
	unsigned calls;
	unsigned refuse; /* the call that cancels; 0: none */
};

static int note(void *user, uint64_t done)
{
	struct progress *progress = user;

	assert_true(done >= progress->last);
	progress->last = done;
	progress->calls++;
	return progress->calls == progress->refuse;
}

static void tells_progress_now_and_then(void **state)
{
	static const uint8_t zeros[200000];
	struct progress progress = { 0 };
	struct mkrootfs_error error;
	struct source *source;

	(void)state;
	assert_int_equal(source_meter(&source, chunk_source(zeros, sizeof(zeros), 1000), UINT64_MAX,
				      "blob", note, &progress, &error),
			 0);
	assert_int_equal(source_drain(source, UINT64_MAX, &error), 0);
	source_close(source);
	assert_int_equal(progress.last, sizeof(zeros));
	assert_int_equal(progress.calls, 4); /* past 64, 128 and 192 KiB, and at the end */
}

static void cancels_when_progress_says_so(void **state)
{
	static const uint8_t zeros[200000];

	(void)state;
	for (unsigned refuse = 1; refuse <= 4; refuse++) {
		struct progress progress = { .refuse = refuse };
		struct mkrootfs_error error;
		struct source *source;

		assert_int_equal(source_meter(&source, chunk_source(zeros, sizeof(zeros), 1000),
					      UINT64_MAX, "blob", note, &progress, &error),
				 0);
		assert_int_equal(source_drain(source, UINT64_MAX, &error),
				 MKROOTFS_ERROR_CANCELLED);
		assert_int_equal(progress.calls, refuse);
		source_close(source);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compares_digest_and_size),
		cmocka_unit_test(gives_the_digest_that_it_found),
		cmocka_unit_test(passes_the_inner_error_on),
		cmocka_unit_test(closes_the_inner_source),
		cmocka_unit_test(meters_against_a_cap),
		cmocka_unit_test(ratio_counts_from_its_floor_on),
		cmocka_unit_test(tells_progress_now_and_then),
		cmocka_unit_test(cancels_when_progress_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
