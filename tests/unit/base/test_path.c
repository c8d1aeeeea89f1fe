/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/path.h"

static const struct {
	const char *in;
	const char *out; /* NULL: refused */
} cases[] = {
	{ "", "" },
	{ ".", "" },
	{ "/", "" },
	{ "./", "" },
	{ "a", "a" },
	{ "a/", "a" },
	{ "./a//b/./c/", "a/b/c" },
	{ "/abs/f", "abs/f" },
	{ "a/../b", "b" },
	{ "a/b/../../c", "c" },
	{ "..", NULL },
	{ "../x", NULL },
	{ "a/../../x", NULL },
	{ "...", "..." },
	{ "caf\xe9/\xff\n", "caf\xe9/\xff\n" },
	{ "1/2/3/4/5", NULL }, /* deeper than the 4 that the test allows */
};

static void normalises_or_refuses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf out = BUF_INIT(4096);
		struct mkrootfs_error error;
		int status = path_normalise(&out, cases[i].in, strlen(cases[i].in), 4, &error);

		if (cases[i].out) {
			assert_int_equal(status, 0);
			assert_string_equal((char *)out.data, cases[i].out);
		} else {
			assert_true(status < 0);
		}
		buf_free(&out);
	}
}

static void limits_a_component_to_255_bytes(void **state)
{
	struct buf out = BUF_INIT(4096);
	struct mkrootfs_error error;
	char name[257];

	(void)state;
	memset(name, 'x', sizeof(name));
	assert_int_equal(path_normalise(&out, name, 255, 4, &error), 0);
	assert_int_equal(path_normalise(&out, name, 256, 4, &error), MKROOTFS_ERROR_MALFORMED);
	assert_int_equal(path_normalise(&out, "a\0b", 3, 4, &error), MKROOTFS_ERROR_MALFORMED);
	buf_free(&out);
}

static void steps_through_components(void **state)
{
	const char *rest = "a/bc", *component;

	(void)state;
	assert_int_equal(path_next(&rest, &component), 1);
	assert_memory_equal(component, "a", 1);
	assert_int_equal(path_next(&rest, &component), 2);
	assert_memory_equal(component, "bc", 2);
	assert_int_equal(path_next(&rest, &component), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normalises_or_refuses),
		cmocka_unit_test(limits_a_component_to_255_bytes),
		cmocka_unit_test(steps_through_components),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
