/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "cli/percent.h"

static const struct {
	const char *text;
	uint32_t ppm;
	const char *problem; /* a part of it, or NULL */
} cases[] = {
	{ "0", 0, NULL },
	{ "5", 50000, NULL },
	{ "5%", 50000, NULL },
	{ "0.5", 5000, NULL },
	{ "0.0001", 1, NULL },
	{ "12.25%", 122500, NULL },
	{ "50", 500000, NULL },
	{ "050.0000", 500000, NULL },
	{ "50.0001", 0, "too large" },
	{ "51", 0, "too large" },
	{ "99999999999999999999", 0, "too large" },
	{ "0.00001", 0, "four decimals" },
	{ "", 0, "not a percentage" },
	{ "%", 0, "not a percentage" },
	{ ".5", 0, "not a percentage" },
	{ "5.", 0, "not a percentage" },
	{ "-1", 0, "not a percentage" },
	{ "5%%", 0, "not a percentage" },
	{ "5 %", 0, "not a percentage" },
	{ "1e1", 0, "not a percentage" },
};

static void reads_percentages(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t ppm = 77;
		const char *problem = percent_parse(&ppm, cases[i].text, 50);

		assert_int_equal(ppm, cases[i].ppm);
		if (cases[i].problem)
			assert_non_null(problem ? strstr(problem, cases[i].problem) : NULL);
		else
			assert_null(problem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(reads_percentages) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
