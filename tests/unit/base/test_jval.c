/* SPDX-License-Identifier: Apache-2.0 */
/* Documents that mean to hurt whoever parses them. */
#include "base/jval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct mkrootfs_error error;

static void assert_refused(const char *text, size_t len, const char *why)
{
	struct jval *root;

	if (jval_parse(&root, text, len, &error) != MKROOTFS_ERROR_MALFORMED)
		fail_msg("%.60s: not refused as malformed", text);
	assert_null(root);
	if (!strstr(error.message, why))
		fail_msg("%.60s: '%s' does not say '%s'", text, error.message, why);
}

/* A parser that calls itself for each level would run out of stack. */
static void deep_nesting_is_refused(void **state)
{
	static const char *const openings[] = { "[", "{\"a\":" };
	enum { LEVELS = 100000 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(openings[i]);
		char *text = malloc(LEVELS * len + 1);

		assert_non_null(text);
		for (size_t level = 0; level < LEVELS; level++)
			strcpy(text + level * len, openings[i]);
		assert_refused(text, LEVELS * len, "depth");
		free(text);
	}
}

static void ambiguous_documents_are_refused(void **state)
{
	static const char *const texts[][2] = {
		{ "{\"layers\":1,\"layers\":2}", "duplicate" },
		{ "{\"a\":1} x", "end of file" },
		{ "{\"a\":1}{\"a\":1}", "end of file" },
		{ "{\"a\":\"\\u0000\"}", "\\u0000" },
		{ "{\"a\":\"\xff\"}", "decode byte 0xff" },
		{ "", "" },
		{ "{", "" },
		{ "{\"a\":1,}", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(texts[i][0], strlen(texts[i][0]), texts[i][1]);
}

static void other_types_are_absent(void **state)
{
	static const char text[] = "{\"n\":1,\"s\":\"x\",\"a\":[1.5],\"o\":{},\"z\":null}";
	struct jval *root;
	int64_t number = 7;

	(void)state;
	assert_int_equal(jval_parse(&root, text, strlen(text), &error), 0);
	assert_null(jval_text(jval_get(root, "n")));
	assert_null(jval_text(jval_get(root, "none")));
	assert_false(jval_integer(&number, jval_at(jval_get(root, "a"), 0)));
	assert_int_equal(number, 0);
	assert_null(jval_at(jval_get(root, "a"), 1));
	assert_null(jval_get(jval_get(root, "s"), "x"));
	assert_int_equal(jval_count(jval_get(root, "o")), 0);
	assert_true(jval_is_absent(jval_get(root, "z")));
	jval_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(ambiguous_documents_are_refused),
		cmocka_unit_test(other_types_are_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
