/* SPDX-License-Identifier: Apache-2.0 */
/* Content-Range of answers to a request for a part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oci/content_range.h"

#define UNKNOWN UINT64_MAX

static const struct {
	const char *value;
	uint64_t first, last, total;
} good[] = {
	{ "bytes 0-0/1", 0, 0, 1 },
	{ "bytes 100-299/300", 100, 299, 300 },
	{ "Bytes 100-299/300 ", 100, 299, 300 },
	{ "bytes \t5-9/*", 5, 9, UNKNOWN },
	{ "bytes 5-9/1000", 5, 9, 1000 },
	{ "bytes 18446744073709551612-18446744073709551613/18446744073709551614", UINT64_MAX - 3,
	  UINT64_MAX - 2, UINT64_MAX - 1 },
};

static const char *const bad[] = {
	"",
	"bytes",
	"bytes ",
	"bytes */100",
	"bytes 0-9",
	"bytes 0-9/",
	"bytes -9/10",
	"bytes 0-/10",
	"bytes 9-8/10",
	"bytes 0-10/10",
	"bytes 0-10/5",
	"bytes=0-9/10",
	"bytes0-9/10",
	"items 0-9/10",
	"bytes 0-9/10x",
	"bytes 0-9/10, bytes 0-9/10",
	"bytes 0 - 9/10",
	"bytes +0-9/10",
	"bytes 0x0-9/10",
	"bytes 0-9/18446744073709551616",
	"bytes 18446744073709551616-5/4",
	"bytes 99999999999999999999999999-5/4",
};

static void reads_one_range(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct content_range range;

		if (!content_range_parse(&range, good[i].value))
			fail_msg("%s", good[i].value);
		assert_true(range.first == good[i].first);
		assert_true(range.last == good[i].last);
		assert_int_equal(range.has_total, good[i].total != UNKNOWN);
		if (range.has_total)
			assert_true(range.total == good[i].total);
	}
}

static void refuses_everything_else(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct content_range range;

		if (content_range_parse(&range, bad[i]))
			fail_msg("%s", bad[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_one_range),
		cmocka_unit_test(refuses_everything_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
