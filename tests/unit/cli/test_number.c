/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/number.h"

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		uint64_t number;
		const char *problem;
	} cases[] = {
		{ "1", 1, NULL },
		{ "64", 64, NULL },
		{ "007", 7, NULL },
		{ "0", 0, "is too small" },
		{ "65", 0, "is too large" },
		{ "99999999999999999999999", 0, "is too large" },
		{ "", 0, "is not a whole number" },
		{ "-1", 0, "is not a whole number" },
		{ "+1", 0, "is not a whole number" },
		{ " 1", 0, "is not a whole number" },
		{ "1k", 0, "is not a whole number" },
		{ "0x10", 0, "is not a whole number" },
		{ "1.5", 0, "is not a whole number" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t number = 0;
		const char *problem = number_parse(&number, cases[i].text, 1, 64);

		if (cases[i].problem)
			assert_string_equal(problem, cases[i].problem);
		else
			assert_null(problem);
		assert_int_equal(number, cases[i].number);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
