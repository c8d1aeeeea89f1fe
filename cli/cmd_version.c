/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

static int run_version(struct invocation *invocation)
{
	fprintf(invocation->out, "mkrootfs %s\n", mkrootfs_version());
	return EXIT_CODE_OK;
}

static const struct option_spec options[] = { OPTION_SPEC_END };

const struct command command_version = {
	.name = "version",
	.summary = "print the version",
	.synopsis = "",
	.description = "Prints the version of the program; --version does the same.\n",
	.examples = "  mkrootfs version\n",
	.options = options,
	.run = run_version,
};
