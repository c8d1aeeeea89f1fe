/* SPDX-License-Identifier: Apache-2.0 */
/* What an error says, and for how long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/error.h"

static void a_prefix_keeps_the_rest(void **state)
{
	struct mkrootfs_error error;

	(void)state;
	error_set_errno(&error, EACCES, "open '%s'", "f");
	assert_int_equal(error_advise(&error, "ask %s", "root"), MKROOTFS_ERROR_IO);
	assert_int_equal(error_prefix(&error, "layer %d: ", 3), MKROOTFS_ERROR_IO);
	assert_int_equal(error.os_errno, EACCES);
	assert_string_equal(error.message, "layer 3: open 'f': Permission denied");
	assert_string_equal(error.advice, "ask root");
}

static void an_advice_goes_with_its_message(void **state)
{
	struct mkrootfs_error error;

	(void)state;
	error_set(&error, MKROOTFS_ERROR_DENIED, "no");
	error_advise(&error, "log in");
	error_set(&error, MKROOTFS_ERROR_IO, "another");
	assert_string_equal(error.advice, "");
	error_advise(&error, "x");
	error_no_memory(&error);
	assert_string_equal(error.advice, "");
}

/* Texts that others wrote: no control byte reaches a terminal, no length breaks out. */
static void texts_are_escaped_and_cut(void **state)
{
	struct mkrootfs_error error;
	char longest[2000];

	(void)state;
	error_set(&error, MKROOTFS_ERROR_IO, "a\nb\x1b[31m");
	error_advise(&error, "c\x7f\r");
	assert_string_equal(error.message, "a\\x0ab\\x1b[31m");
	assert_string_equal(error.advice, "c\\x7f\\x0d");
	memset(longest, '\x01', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	error_set(&error, MKROOTFS_ERROR_IO, "%s", longest);
	error_advise(&error, "%s", longest);
	assert_in_range(strlen(error.message), 1000, sizeof(error.message) - 1);
	assert_in_range(strlen(error.advice), 240, sizeof(error.advice) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_prefix_keeps_the_rest),
		cmocka_unit_test(an_advice_goes_with_its_message),
		cmocka_unit_test(texts_are_escaped_and_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
