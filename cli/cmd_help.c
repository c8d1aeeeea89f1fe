/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "help.h"

static int run_help(struct invocation *invocation)
{
	const struct command *command;

	if (!invocation->arguments.operand_count) {
		help_print_overview(invocation->out);
		return EXIT_CODE_OK;
	}
	command = command_find(invocation->arguments.operands[0]);
	if (!command) {
		/* The list of commands is in the overview, not in the help of this one. */
		invocation->command = NULL;
		return usage_error(invocation, "unknown command '%s'",
				   invocation->arguments.operands[0]);
	}
	help_print_command(invocation->out, command);
	return EXIT_CODE_OK;
}

static const struct option_spec options[] = { OPTION_SPEC_END };

const struct command command_help = {
	.name = "help",
	.summary = "explain the program or one command",
	.synopsis = "[COMMAND]",
	.description = "Explains a command, or lists all of them.\n",
	.examples = "  mkrootfs help\n"
		    "  mkrootfs help pull\n",
	.options = options,
	.operand = "COMMAND",
	.operand_optional = true,
	.run = run_help,
};
