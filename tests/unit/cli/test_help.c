/* SPDX-License-Identifier: Apache-2.0 */
/* What is written about the commands in other places follows from their tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/help.h"
#include "fake_library.h"

#define DOCS FIXTURES "/../docs"

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 16);

	if (!file)
		fail_msg("%s is missing", path);
	assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
	fclose(file);
	return text;
}

static void check_columns(const char *text, const char *of)
{
	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		if (length > 80)
			fail_msg("%s: %.*s", of, (int)length, text);
	}
}

static void help_fits_80_columns(void **state)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	help_print_overview(out);
	for (const struct command *const *command = commands; *command; command++)
		help_print_command(out, *command);
	fclose(out);
	check_columns(text, "help");
	free(text);
}

static void check_manual_page(const struct command *command)
{
	char path[512], *page;

	snprintf(path, sizeof(path), DOCS "/man/mkrootfs-%s.1", command->name);
	page = read_file(path);
	for (const struct option_spec *option = command->options; option->id; option++) {
		char item[64], letter[16] = "";

		if (option->letter)
			snprintf(letter, sizeof(letter), "Fl %c , ", option->letter);
		snprintf(item, sizeof(item), "\n.It %sFl Fl %s%s", letter, option->name,
			 option->value ? " Ar " : "\n");
		if (!strstr(page, item))
			fail_msg("%s lacks%s", path, item);
	}
	free(page);
}

static void each_option_is_in_the_manual(void **state)
{
	char *page = read_file(DOCS "/man/mkrootfs.1");

	(void)state;
	for (const struct command *const *command = commands; *command; command++) {
		char item[64];

		snprintf(item, sizeof(item), "\n.It Cm %s", (*command)->name);
		assert_non_null(strstr(page, item));
		/* version and help have no options: the main page says all. */
		if ((*command)->options->id)
			check_manual_page(*command);
	}
	free(page);
}

/* The completion's line for a command lists exactly its options, in their order. */
static void each_option_is_completed(void **state)
{
	char *script = read_file(DOCS "/completions/mkrootfs.bash");

	(void)state;
	for (const struct command *const *command = commands; *command; command++) {
		char line[4096];
		int length = snprintf(line, sizeof(line), "%s) options=\"", (*command)->name);

		if (!(*command)->options->id)
			continue;
		for (const struct option_spec *option = (*command)->options; option->id; option++)
			length += snprintf(line + length, sizeof(line) - (size_t)length, "--%s ",
					   option->name);
		snprintf(line + length, sizeof(line) - (size_t)length, "--help\"");
		if (!strstr(script, line))
			fail_msg("the completion lacks: %s", line);
	}
	free(script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_fits_80_columns),
		cmocka_unit_test(each_option_is_in_the_manual),
		cmocka_unit_test(each_option_is_completed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
