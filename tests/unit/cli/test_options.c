/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "cli/options.h"

static const struct option_spec specs[] = {
	{ OPTION_STORE, 0, "store", "DIR", "a folder" },
	{ OPTION_SIZE, 's', "size", "SIZE", "a size" },
	{ OPTION_FORCE, 'f', "force", NULL, "a flag" },
	{ OPTION_QUIET, 'q', "quiet", NULL, "another flag" },
	OPTION_SPEC_END,
};

#define WORDS 8

static const struct {
	const char *words[WORDS];
	const char *store, *size;
	int force, quiet;
	const char *operands[WORDS];
} accepted[] = {
	{ .words = { NULL } },
	{ .words = { "a", "b" }, .operands = { "a", "b" } },
	{ .words = { "--store", "d", "a" }, .store = "d", .operands = { "a" } },
	{ .words = { "--store=d" }, .store = "d" },
	{ .words = { "--store=a=b" }, .store = "a=b" },
	{ .words = { "a", "--store", "d", "b" }, .store = "d", .operands = { "a", "b" } },
	{ .words = { "--store", "1", "--store=2" }, .store = "2" },
	{ .words = { "--store", "--force" }, .store = "--force" },
	{ .words = { "--store", "--", "a" }, .store = "--", .operands = { "a" } },
	{ .words = { "-s", "4G" }, .size = "4G" },
	{ .words = { "-s4G" }, .size = "4G" },
	{ .words = { "-fs4G", "-q" }, .size = "4G", .force = 1, .quiet = 1 },
	{ .words = { "-qf" }, .force = 1, .quiet = 1 },
	{ .words = { "-f", "--", "-q", "--" }, .force = 1, .operands = { "-q", "--" } },
	{ .words = { "-", "-f" }, .force = 1, .operands = { "-" } },
	{ .words = { "", "--force" }, .force = 1, .operands = { "" } },
};

static void same_text(const char *got, const char *expected)
{
	if (expected) {
		assert_non_null(got);
		assert_string_equal(got, expected);
	} else {
		assert_null(got);
	}
}

static void same_operands(const struct arguments *arguments, const char *const *expected)
{
	size_t count = 0;

	for (; expected[count]; count++) {
		assert_true(count < arguments->operand_count);
		assert_string_equal(arguments->operands[count], expected[count]);
	}
	assert_int_equal(arguments->operand_count, count);
}

static int parse(struct arguments *arguments, char *problem, const char *const *words)
{
	static char *copy[WORDS + 1];

	memcpy(copy, words, WORDS * sizeof(*words));
	return options_parse(arguments, problem, specs, copy);
}

static void reads_options_and_operands(void **state)
{
	struct arguments arguments;
	char problem[OPTIONS_PROBLEM];

	(void)state;
	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
		assert_int_equal(parse(&arguments, problem, accepted[i].words), 0);
		same_text(arguments.values[OPTION_STORE], accepted[i].store);
		same_text(arguments.values[OPTION_SIZE], accepted[i].size);
		same_text(arguments.values[OPTION_FORCE], accepted[i].force ? "" : NULL);
		same_text(arguments.values[OPTION_QUIET], accepted[i].quiet ? "" : NULL);
		assert_null(arguments.values[OPTION_HELP]);
		same_operands(&arguments, accepted[i].operands);
	}
}

static const struct {
	const char *words[WORDS];
	const char *stores[WORDS];
} repeated[] = {
	{ { NULL }, { NULL } },
	{ { "-f", "a" }, { NULL } },
	{ { "--store", "1" }, { "1" } },
	{ { "--store", "1", "--store=2", "a", "--store", "1" }, { "1", "2", "1" } },
	{ { "--store", "1", "-s", "4G", "-fs5G", "--store=2" }, { "1", "2" } },
	{ { "--store", "1", "--", "--store=2" }, { "1" } },
};

static void keeps_all_values_in_their_order(void **state)
{
	struct arguments arguments;
	char problem[OPTIONS_PROBLEM];
	const char *values[OPTIONS_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(repeated) / sizeof(repeated[0]); i++) {
		const char *const *expected = repeated[i].stores;
		size_t count;

		assert_int_equal(parse(&arguments, problem, repeated[i].words), 0);
		count = arguments_values(values, &arguments, OPTION_STORE);
		for (size_t j = 0; j < count; j++)
			same_text(values[j], expected[j]);
		assert_null(expected[count]);
	}
}

static void the_number_of_values_is_limited(void **state)
{
	char *words[OPTIONS_MAX + 2], *copy[OPTIONS_MAX + 2];
	char word[] = "--store=d", problem[OPTIONS_PROBLEM];
	const char *values[OPTIONS_MAX];
	struct arguments arguments;

	(void)state;
	for (size_t i = 0; i <= OPTIONS_MAX; i++)
		words[i] = word;
	words[OPTIONS_MAX + 1] = NULL;
	memcpy(copy, words, sizeof(words));
	assert_int_equal(options_parse(&arguments, problem, specs, copy), -1);
	assert_string_equal(problem, "more than 256 options with values");
	assert_int_equal(options_parse(&arguments, problem, specs, words + 1), 0);
	assert_int_equal(arguments_values(values, &arguments, OPTION_STORE), OPTIONS_MAX);
}

static const struct {
	const char *words[WORDS];
	const char *problem;
} refused[] = {
	{ { "--x" }, "unknown option '--x'" },
	{ { "--x=1" }, "unknown option '--x'" },
	{ { "--stor", "d" }, "unknown option '--stor'" }, /* no abbreviations */
	{ { "--stores", "d" }, "unknown option '--stores'" },
	{ { "--=d" }, "unknown option '--'" },
	{ { "-x" }, "unknown option '-x' in '-x'" },
	{ { "-fx" }, "unknown option '-x' in '-fx'" },
	{ { "a", "--store" }, "option '--store' needs a value (DIR)" },
	{ { "-fs" }, "option '--size' needs a value (SIZE)" },
	{ { "--store=" }, "the value of option '--store' is empty" },
	{ { "--store", "" }, "the value of option '--store' is empty" },
	{ { "--force=yes" }, "option '--force' takes no value" },
	{ { "--help=x" }, "option '--help' takes no value" },
};

static void names_what_is_wrong(void **state)
{
	struct arguments arguments;
	char problem[OPTIONS_PROBLEM];

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_int_equal(parse(&arguments, problem, refused[i].words), -1);
		assert_string_equal(problem, refused[i].problem);
	}
}

static void every_command_has_help(void **state)
{
	static const char *const forms[][WORDS] = { { "-h" }, { "--help" }, { "a", "-fh" } };
	struct arguments arguments;
	char problem[OPTIONS_PROBLEM];

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		assert_int_equal(parse(&arguments, problem, forms[i]), 0);
		assert_non_null(arguments.values[OPTION_HELP]);
	}
}

static void a_long_word_does_not_overflow_the_problem(void **state)
{
	char word[2000] = "--", problem[OPTIONS_PROBLEM];
	char *words[] = { word, NULL };
	struct arguments arguments;

	(void)state;
	memset(word + 2, 'x', sizeof(word) - 3);
	assert_int_equal(options_parse(&arguments, problem, specs, words), -1);
	assert_int_equal(strlen(problem), OPTIONS_PROBLEM - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_options_and_operands),
		cmocka_unit_test(keeps_all_values_in_their_order),
		cmocka_unit_test(the_number_of_values_is_limited),
		cmocka_unit_test(names_what_is_wrong),
		cmocka_unit_test(every_command_has_help),
		cmocka_unit_test(a_long_word_does_not_overflow_the_problem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
