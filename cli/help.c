/* SPDX-License-Identifier: Apache-2.0 */
#include "help.h"

#include <string.h>

/* Columns that option and value take before their help. */
#define OPTION_COLUMNS 32

#define STORE_TEXT                                                                \
	"Store: --store DIR, else $MKROOTFS_STORE, $XDG_DATA_HOME/mkrootfs, or\n" \
	"~/.local/share/mkrootfs.\n"

static const char overview_head[] =
	"Usage: mkrootfs COMMAND [OPTION]... [ARGUMENT]...\n"
	"\n"
	"Turns OCI images into disks that a guest kernel mounts by itself, without root,\n"
	"mounts or loop devices on the host.\n"
	"\n"
	"Commands:\n";

static const char overview_tail[] =
	"\n"
	"'mkrootfs COMMAND --help' explains a command and shows examples.\n"
	"\n"
	"A first boot:\n"
	"  mkrootfs pull python:3.12       the image, as one read-only disk\n"
	"  mkrootfs upper upper.ext4       a writable disk for one guest\n"
	"\n" STORE_TEXT "\n"
	"Exit codes:\n"
	"  0    success\n"
	"  1    input, output or memory failed\n"
	"  2    the command line or a value in it makes no sense\n"
	"  3    no such image, tag or file\n"
	"  4    the network failed\n"
	"  5    access denied: credentials are missing or insufficient\n"
	"  6    bad input: malformed, wrong digest, or over a limit\n"
	"  7    no space left\n"
	"  8    valid, but not supported\n"
	"  9    the image is not there for that platform\n"
	"  10   TLS: a certificate was not accepted, or the server speaks no TLS\n"
	"  11   a host name was not found\n"
	"  12   the registry wants to be asked less often\n"
	"  128+N  stopped by signal N: 130 by Ctrl-C, 143 by SIGTERM\n";

void help_print_overview(FILE *out)
{
	fputs(overview_head, out);
	for (const struct command *const *command = commands; *command; command++)
		fprintf(out, "  %-9s %s\n", (*command)->name, (*command)->summary);
	fputs(overview_tail, out);
}

/* Help of several lines stays in its column. */
static void print_option_help(FILE *out, const char *help)
{
	for (const char *end; (end = strchr(help, '\n')); help = end + 1)
		fprintf(out, "%.*s\n%*s", (int)(end - help), help, OPTION_COLUMNS, "");
	fprintf(out, "%s\n", help);
}

static void print_option(FILE *out, const struct option_spec *option)
{
	char left[64];
	const char letter[] = { '-', option->letter, ',', ' ', '\0' };

	snprintf(left, sizeof(left), "  %s--%s%s%s", option->letter ? letter : "    ", option->name,
		 option->value ? " " : "", option->value ? option->value : "");
	/* Where the names take the whole column, the help starts on the next line. */
	if (strlen(left) + 2 > OPTION_COLUMNS)
		fprintf(out, "%s\n%*s", left, OPTION_COLUMNS, "");
	else
		fprintf(out, "%-*s", OPTION_COLUMNS, left);
	print_option_help(out, option->help);
}

static bool has_store(const struct command *command)
{
	for (const struct option_spec *option = command->options; option->id; option++) {
		if (option->id == OPTION_STORE)
			return true;
	}
	return false;
}

void help_print_command(FILE *out, const struct command *command)
{
	fprintf(out, "Usage: mkrootfs %s %s\n\n%s\nOptions:\n", command->name, command->synopsis,
		command->description);
	for (const struct option_spec *option = command->options; option->id; option++)
		print_option(out, option);
	print_option(out, &option_help);
	if (has_store(command))
		fputs("\n" STORE_TEXT, out);
	fprintf(out, "\nExamples:\n%s\nExit codes are listed by 'mkrootfs help'.\n",
		command->examples);
}
