/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "command.h"
#include "escape.h"
#include "message.h"
#include "size.h"

static void print_resized(const struct invocation *invocation, const char *path,
			  const struct mkrootfs_resized *resized)
{
	char before[SIZE_TEXT], after[SIZE_TEXT];
	FILE *out = invocation->out;

	if (is_given(invocation, OPTION_JSON)) {
		fputs("{\"path\": ", out);
		print_json_string(out, path);
		fprintf(out, ", \"before\": %" PRIu64 ", \"after\": %" PRIu64 "}\n",
			resized->before, resized->after);
		return;
	}
	if (is_given(invocation, OPTION_QUIET))
		return;
	size_format(before, resized->before);
	size_format(after, resized->after);
	if (resized->before == resized->after)
		fprintf(out, "The filesystem has %s, as before.\n", after);
	else
		fprintf(out, "The filesystem grew from %s to %s.\n", before, after);
}

static int run_resize(struct invocation *invocation)
{
	char **operands = invocation->arguments.operands;
	struct mkrootfs_resized resized;
	struct mkrootfs_error error;
	uint64_t size;
	const char *problem = size_parse(&size, operands[1]);

	if (problem)
		return usage_error(invocation, "'%s' %s", operands[1], problem);
	if (mkrootfs_upper_resize(&resized, operands[0], size, &error) < 0)
		return failure(invocation, &error);
	print_resized(invocation, operands[0], &resized);
	return EXIT_CODE_OK;
}

static const struct option_spec options[] = {
	{ OPTION_QUIET, 'q', "quiet", NULL, "print nothing" },
	{ OPTION_JSON, 0, "json", NULL, "print the result as one JSON object" },
	OPTION_SPEC_END,
};

const struct command command_resize = {
	.name = "resize",
	.summary = "make a writable disk larger",
	.synopsis = "[OPTION]... FILE SIZE",
	.description =
		"Makes the ext4 filesystem of 'mkrootfs upper' larger while no machine uses it,\n"
		"and the file with it. What is in it stays; it is never made smaller.\n"
		"SIZE is that of 'upper': bytes, or a number with K, M, G or T.\n"
		"\n"
		"A filesystem that was not unmounted is refused: let a guest mount it once, or\n"
		"run 'e2fsck -p FILE'. In a running guest, resize2fs does the same.\n",
	.examples = "  mkrootfs resize upper.ext4 20G\n",
	.options = options,
	.operand = "FILE",
	.operand2 = "SIZE",
	.run = run_resize,
};
