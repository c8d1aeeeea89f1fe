/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "cli/size.h"

static const struct {
	const char *text;
	uint64_t size;
} sizes[] = {
	{ "0", 0 },
	{ "1048576", 1048576 },
	{ "18446744073709551615", UINT64_MAX },
	{ "4G", UINT64_C(4) << 30 },
	{ "4g", UINT64_C(4) << 30 },
	{ "4GiB", UINT64_C(4) << 30 },
	{ "512M", 512 << 20 },
	{ "1.5G", 1536 << 20 },
	{ "0.5K", 512 },
	{ "0.000001M", 1 }, /* 1.05 bytes: the rest of a byte is dropped */
	{ "2.999999T", UINT64_C(3298533783816) },
	{ "007k", 7 << 10 },
	{ "16777215T", UINT64_C(16777215) << 40 },
};

static void reads_sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t size = 1;

		assert_null(size_parse(&size, sizes[i].text));
		assert_int_equal(size, sizes[i].size);
	}
}

static const struct {
	const char *text;
	const char *problem; /* words of it */
} refused[] = {
	{ "", "not a size" },
	{ " 4G", "not a size" },
	{ "4 G", "not a size" },
	{ "4G ", "not a size" },
	{ "-1", "not a size" },
	{ "+1", "not a size" },
	{ "0x10", "not a size" },
	{ "1e30", "not a size" },
	{ "G", "not a size" },
	{ ".5G", "not a size" },
	{ "1.G", "not a size" },
	{ "1.5", "not a size" }, /* half a byte */
	{ "1.5.5G", "not a size" },
	{ "1,5G", "not a size" },
	{ "4GB", "not a size" }, /* 10^9 or 2^30? */
	{ "4GIB", "not a size" },
	{ "4Gi", "not a size" },
	{ "4GiBs", "not a size" },
	{ "4X", "not a size" },
	{ "4B", "not a size" },
	{ "1.1234567G", "decimals" },
	{ "18446744073709551616", "too large" },
	{ "99999999999999999999999999", "too large" },
	{ "16777216T", "too large" },
	{ "18014398509481984K", "too large" },
};

static void refuses_what_is_no_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		uint64_t size = 1;
		const char *problem = size_parse(&size, refused[i].text);

		if (!problem || !strstr(problem, refused[i].problem))
			fail_msg("'%s': %s", refused[i].text, problem ? problem : "accepted");
		assert_int_equal(size, 0);
	}
}

static const struct {
	uint64_t size;
	const char *text;
} shown[] = {
	{ 0, "0 B" },
	{ 1023, "1023 B" },
	{ 1024, "1.0 KiB" },
	{ 1536, "1.5 KiB" },
	{ 1048524, "1023.9 KiB" },
	{ 1048525, "1.0 MiB" }, /* 1023.95 KiB, which would round to 1024.0 */
	{ UINT64_C(4) << 30, "4.0 GiB" },
	{ UINT64_MAX, "16.0 EiB" },
};

static void shows_sizes(void **state)
{
	char text[SIZE_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		assert_string_equal(size_format(text, shown[i].size), shown[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_sizes),
		cmocka_unit_test(refuses_what_is_no_size),
		cmocka_unit_test(shows_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
