/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "made_file.h"

static int run_clone(struct invocation *invocation)
{
	char **operands = invocation->arguments.operands;
	struct mkrootfs_error error;
	int code = made_file_check_name(invocation, operands[1]);

	if (code)
		return code;
	if (mkrootfs_upper_clone(operands[0], operands[1], is_given(invocation, OPTION_FORCE),
				 &error) < 0)
		return failure(invocation, &error);
	if (is_given(invocation, OPTION_JSON))
		return made_file_print(invocation, operands[1], NULL);
	return EXIT_CODE_OK;
}

static const struct option_spec options[] = {
	{ OPTION_FORCE, 'f', "force", NULL, "replace an existing file" },
	{ OPTION_JSON, 0, "json", NULL, "print path and sizes of NEW as one JSON object" },
	OPTION_SPEC_END,
};

const struct command command_clone = {
	.name = "clone",
	.summary = "copy a writable disk",
	.synopsis = "[OPTION]... FILE NEW",
	.description =
		"Copies a writable disk: a template for many guests, or a snapshot. Where the\n"
		"filesystem can, the copy shares its blocks with FILE, which takes no time and no\n"
		"space; else what is no hole is copied. NEW appears complete or not at all.\n"
		"\n"
		"While a machine uses FILE, only a shared copy is made: it is as if the machine\n"
		"had been cut off in that moment.\n",
	.examples = "  mkrootfs clone prepared.ext4 vm1.ext4\n",
	.options = options,
	.operand = "FILE",
	.operand2 = "NEW",
	.run = run_clone,
};
