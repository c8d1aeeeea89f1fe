/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, limits and getters; tests/peer compares what is read with another reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/toml.h"

static int parse(struct toml **out, const char *text, struct mkrootfs_error *error)
{
	return toml_parse(out, text, strlen(text), error);
}

static const struct {
	const char *text, *message;
} refused[] = {
	{ "a = 1\nb = x\n", "line 2, column 5: this is no value: strings stand in quotes" },
	{ "a = 1\r\nb = \n", "line 2, column 5: a value is missing" },
	{ "a = 'x\n'", "line 1, column 7: the string does not end on its line" },
	{ "a = 'x", "line 1, column 7: the string does not end" },
	{ "a = '\xc3\xa4\xc3\xb6' x", "line 1, column 10: the line should end here" },
	{ "a = \"\\x\"", "line 1, column 7: unknown escape in a string" },
	{ "a = \"\\ud800\"", "line 1, column 8: the escape is no Unicode character" },
	{ "a = \"\\u12\"", "line 1, column 8: an escape needs 4 hexadecimal digits" },
	{ "a = 9223372036854775808", "line 1, column 5: the integer does not fit 64 bits" },
	{ "a = [1 2]", "line 1, column 8: ',' or ']' is missing in an array" },
	{ "a = {b=1 c=2}", "line 1, column 10: ',' or '}' is missing in an inline table" },
	{ "a", "line 1, column 2: '=' is missing behind the key" },
	{ "\n\n = 1", "line 3, column 2: a key is missing" },
	{ "[a\n", "line 1, column 3: ']' is missing" },
	{ "[[a]\n", "line 1, column 4: ']]' is missing" },
	{ "a = 1\n\n  a = 2", "line 3, column 3: 'a' was given before, in line 1" },
	{ "[x]\n[y]\n[x]", "line 3, column 1: 'x' was given before, in line 1" },
	{ "# \x01", "line 1, column 3: control character 0x01" },
	{ "a=1\n#\xff", "line 2, column 2: this is no UTF-8" },
};

static void names_the_place_and_the_fault(void **state)
{
	struct mkrootfs_error error;
	struct toml *document;

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_int_equal(parse(&document, refused[i].text, &error),
				 MKROOTFS_ERROR_MALFORMED);
		assert_string_equal(error.message, refused[i].message);
		assert_null(document);
	}
}

static void getters_take_what_is_absent(void **state)
{
	struct mkrootfs_error error;
	const struct toml_value *root;
	struct toml *document;

	(void)state;
	assert_int_equal(parse(&document, "a = 'x'\nb = 1\n[[c]]\nd = \"\\u0000\"", &error), 0);
	root = toml_root(document);
	assert_string_equal(toml_text(toml_get(root, "a")), "x");
	assert_null(toml_text(toml_get(root, "b")));
	assert_null(toml_text(toml_get(root, "e")));
	assert_null(toml_get(toml_get(root, "b"), "c"));
	assert_null(toml_get(toml_get(root, "c"), "d"));
	assert_null(toml_first(toml_get(root, "e")));
	/* A string with a NUL is no text of C. */
	assert_null(toml_text(toml_get(toml_first(toml_get(root, "c")), "d")));
	assert_int_equal(toml_first(toml_get(root, "c"))->line, 3);
	toml_free(document);
	toml_free(NULL);
}

/* Depth and size are limited, and what is just allowed is read. */
static void is_limited(void **state)
{
	char *text = malloc(TOML_SIZE_MAX + 1);
	struct mkrootfs_error error;
	struct toml *document;

	(void)state;
	memset(text, '#', TOML_SIZE_MAX + 1);
	assert_int_equal(toml_parse(&document, text, TOML_SIZE_MAX + 1, &error),
			 MKROOTFS_ERROR_LIMIT);
	assert_int_equal(toml_parse(&document, text, TOML_SIZE_MAX, &error), 0);
	toml_free(document);
	for (size_t depth = TOML_DEPTH_MAX; depth <= TOML_DEPTH_MAX + 1; depth++) {
		memcpy(text, "a=", 2);
		memset(text + 2, '[', depth);
		memset(text + 2 + depth, ']', depth);
		assert_int_equal(toml_parse(&document, text, 2 + 2 * depth, &error),
				 depth > TOML_DEPTH_MAX ? MKROOTFS_ERROR_MALFORMED : 0);
		toml_free(document);
	}
	free(text);
}

/* A key for each few bytes of the largest document: members are found by hash. */
static void many_keys_are_no_burden(void **state)
{
	char *text = malloc(TOML_SIZE_MAX), *at = text;
	struct mkrootfs_error error;
	struct toml *document;
	unsigned count = 0;

	(void)state;
	while (at - text < (ptrdiff_t)TOML_SIZE_MAX - 16)
		at += sprintf(at, "%x=1\n", count++);
	assert_int_equal(toml_parse(&document, text, (size_t)(at - text), &error), 0);
	assert_int_equal(toml_root(document)->len, count);
	toml_free(document);
	at += sprintf(at, "fff=1\n");
	assert_int_equal(toml_parse(&document, text, (size_t)(at - text), &error),
			 MKROOTFS_ERROR_MALFORMED);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_place_and_the_fault),
		cmocka_unit_test(getters_take_what_is_absent),
		cmocka_unit_test(is_limited),
		cmocka_unit_test(many_keys_are_no_burden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
