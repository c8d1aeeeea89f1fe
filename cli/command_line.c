/* SPDX-License-Identifier: Apache-2.0 */
#include "command_line.h"

#include <string.h>

#include "command.h"
#include "help.h"

static int check_operands(const struct invocation *invocation)
{
	const struct command *command = invocation->command;
	const struct arguments *arguments = &invocation->arguments;
	size_t allowed = (command->operand ? 1 : 0) + (command->operand2 ? 1 : 0);

	if (arguments->operand_count > allowed && !command->operand_many)
		return usage_error(invocation, "unexpected argument '%s'",
				   arguments->operands[allowed]);
	if (arguments->operand_count < allowed && !command->operand_optional)
		return usage_error(invocation, "%s is missing",
				   arguments->operand_count ? command->operand2 : command->operand);
	return 0;
}

/* A command that knows --store finds it set, given or not. */
static int default_store(struct invocation *invocation)
{
	const struct option_spec *option = invocation->command->options;
	const char *problem;

	while (option->id && option->id != OPTION_STORE)
		option++;
	if (!option->id || is_given(invocation, OPTION_STORE))
		return 0;
	problem = store_folder_default(invocation->store);
	if (problem && invocation->command->store_optional)
		return 0;
	if (problem)
		return usage_error(invocation, "%s", problem);
	invocation->arguments.values[OPTION_STORE] = invocation->store;
	return 0;
}

static int run_command(struct invocation *invocation, char **words)
{
	char problem[OPTIONS_PROBLEM];
	int code;

	if (options_parse(&invocation->arguments, problem, invocation->command->options, words) < 0)
		return usage_error(invocation, "%s", problem);
	if (is_given(invocation, OPTION_HELP)) {
		help_print_command(invocation->out, invocation->command);
		return EXIT_CODE_OK;
	}
	code = check_operands(invocation);
	if (!code)
		code = default_store(invocation);
	return code ? code : invocation->command->run(invocation);
}

/* The options that are commands in truth. */
static const char *command_name(const char *word)
{
	if (!strcmp(word, "--version") || !strcmp(word, "-V"))
		return command_version.name;
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return command_help.name;
	return word;
}

int command_line_run(char **words, FILE *out, FILE *err)
{
	struct invocation invocation = { .out = out, .err = err };

	if (!words[0]) {
		help_print_overview(err);
		return EXIT_CODE_USAGE;
	}
	invocation.command = command_find(command_name(words[0]));
	if (!invocation.command)
		return usage_error(&invocation, "unknown %s '%s'",
				   words[0][0] == '-' ? "option" : "command", words[0]);
	return run_command(&invocation, words + 1);
}
