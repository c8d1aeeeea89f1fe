/* SPDX-License-Identifier: Apache-2.0 */
#include "base/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct functions {
	__typeof__(strlen) *length;
	__typeof__(abs) *absolute;
};

static const char *const names[] = { "strlen", "abs", NULL };
static const char *const unknown[] = { "strlen", "no_such_function", NULL };

static void fills_the_table_in_order(void **state)
{
	static const struct library libc = { "libc.so.6", names, "advice" };
	struct functions functions = { NULL, NULL };
	struct mkrootfs_error error;

	(void)state;
	assert_int_equal(library_load(&functions, &libc, &error), 0);
	assert_int_equal(functions.length("four"), 4);
	assert_int_equal(functions.absolute(-5), 5);
}

static void names_a_library_that_is_missing(void **state)
{
	static const struct library missing = { "libmkrootfs-none.so.9", names, "install it" };
	struct functions functions;
	struct mkrootfs_error error;

	(void)state;
	assert_int_equal(library_load(&functions, &missing, &error), MKROOTFS_ERROR_UNSUPPORTED);
	assert_non_null(strstr(error.message, "cannot load libmkrootfs-none.so.9: "));
	assert_string_equal(error.advice, "install it");
}

static void names_a_function_that_is_missing(void **state)
{
	static const struct library old = { "libc.so.6", unknown, "install a newer one" };
	struct functions functions;
	struct mkrootfs_error error;

	(void)state;
	assert_int_equal(library_load(&functions, &old, &error), MKROOTFS_ERROR_UNSUPPORTED);
	assert_string_equal(error.message, "libc.so.6 is too old: it has no no_such_function");
	assert_string_equal(error.advice, "install a newer one");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fills_the_table_in_order),
		cmocka_unit_test(names_a_library_that_is_missing),
		cmocka_unit_test(names_a_function_that_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
