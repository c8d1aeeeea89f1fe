/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/escape.h"

/* What print makes of a text. The caller frees it. */
static char *printed(void (*print)(FILE *, const char *), const char *text)
{
	char *result;
	size_t size;
	FILE *out = open_memstream(&result, &size);

	assert_non_null(out);
	print(out, text);
	fclose(out);
	return result;
}

static void print_all_escaped(FILE *out, const char *text)
{
	print_escaped(out, text, strlen(text));
}

struct example {
	const char *text, *expected;
};

static void check(void (*print)(FILE *, const char *), const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *result = printed(print, examples[i].text);

		assert_string_equal(result, examples[i].expected);
		free(result);
	}
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void shows_control_characters(void **state)
{
	static const struct example examples[] = {
		{ "", "" },
		{ "plain \\ text", "plain \\ text" },
		{ "\033[2J\a\n\t\x7f", "\\x1b[2J\\x07\\x0a\\x09\\x7f" },
		{ "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xb3",
		  "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xb3" },
		{ "\xc2\x9b", "\\xc2\\x9b" },			/* CSI as a C1 character */
		{ "\xff\x80", "\\xff\\x80" },			/* never UTF-8 */
		{ "\xc3", "\\xc3" },				/* cut */
		{ "\xe2\x82", "\\xe2\\x82" },			/* cut */
		{ "\xc3(", "\\xc3(" },				/* no continuation */
		{ "\xc0\x9b", "\\xc0\\x9b" },			/* overlong ESC */
		{ "\xe0\x80\x9b", "\\xe0\\x80\\x9b" },		/* overlong ESC */
		{ "\xf0\x80\x80\x9b", "\\xf0\\x80\\x80\\x9b" }, /* overlong ESC */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },		/* surrogate */
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" }, /* above U+10FFFF */
	};

	(void)state;
	check(print_all_escaped, examples, COUNT(examples));
}

static void writes_json_strings(void **state)
{
	static const struct example examples[] = {
		{ "", "\"\"" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
		{ "\n\033", "\"\\u000a\\u001b\"" },
		{ "\xc3\xa9", "\"\xc3\xa9\"" },
		{ "a\xffz", "\"a\\ufffdz\"" },
	};

	(void)state;
	check(print_json_string, examples, COUNT(examples));
}

static void quotes_for_a_shell(void **state)
{
	static const struct example examples[] = {
		{ "", "''" },
		{ "/a/b-1.vmdk", "/a/b-1.vmdk" },
		{ "if=virtio,file=/x", "if=virtio,file=/x" },
		{ "a b", "'a b'" },
		{ "$(x)", "'$(x)'" },
		{ "it's", "'it'\\''s'" },
		{ "'", "''\\'''" },
		{ "a\nb", "'a\\x0ab'" },
		{ "~", "'~'" },
	};

	(void)state;
	check(print_shell_word, examples, COUNT(examples));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_control_characters),
		cmocka_unit_test(writes_json_strings),
		cmocka_unit_test(quotes_for_a_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
