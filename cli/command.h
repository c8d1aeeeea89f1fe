/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command of the program, as a row of a table, and one run of it.
 *
 *	const struct command *command = command_find("pull");
 *	struct invocation invocation = { .command = command, .out = stdout, .err = stderr };
 *
 *	options_parse(&invocation.arguments, problem, command->options, words);
 *	exit_code = command->run(&invocation);
 *
 * The caller, command_line_run, has checked options and the number of operands before run is
 * called, so that a mistyped line does nothing at all.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include <mkrootfs.h>

#include "exit_code.h"
#include "options.h"
#include "store_folder.h"

struct command;

struct invocation {
	const struct command *command; /* NULL while no command is known */
	struct arguments arguments;    /* has a store when the command has that option */
	FILE *out, *err;
	char store[STORE_FOLDER]; /* the default folder, when arguments do not name one */
};

struct command {
	const char *name;
	const char *summary;	 /* one line for the list of commands */
	const char *synopsis;	 /* what stands behind the name */
	const char *description; /* paragraphs of help; each line ends with a newline */
	const char *examples;	 /* the same */
	const struct option_spec *options;
	const char *operand;  /* its name, such as REFERENCE; NULL: none is taken */
	const char *operand2; /* of one that takes two; NULL: it takes no second */
	bool operand_optional;
	bool operand_many;   /* one or more */
	bool store_optional; /* it runs without a place for the store, too; values has NULL then */
	int (*run)(struct invocation *invocation); /* returns an exit code */
};

extern const struct command command_pull, command_login, command_logout, command_upper,
	command_resize, command_clone, command_images, command_inspect, command_ls, command_cat,
	command_stat, command_export, command_save, command_build, command_verify, command_version,
	command_help;

/* All commands in the order of the help, ended by NULL. */
extern const struct command *const commands[];

/* NULL when there is none of that name. */
const struct command *command_find(const char *name);

/* Whether an option that is a flag, or has a value, was given. */
bool is_given(const struct invocation *invocation, enum option_id id);

/* Print one line and return the exit code; that of a failure by a signal is the signal's. */
__attribute__((format(printf, 2, 3))) int usage_error(const struct invocation *invocation,
						      const char *format, ...);
int failure(const struct invocation *invocation, const struct mkrootfs_error *error);

#endif
