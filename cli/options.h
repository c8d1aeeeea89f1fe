/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of one command, read from its table.
 *
 *	static const struct option_spec specs[] = {
 *		OPTION_SPEC_STORE,
 *		{ OPTION_FORCE, 'f', "force", NULL, "replace the file" },
 *		OPTION_SPEC_END,
 *	};
 *	struct arguments arguments;
 *	char problem[OPTIONS_PROBLEM];
 *
 *	if (options_parse(&arguments, problem, specs, words) < 0)
 *		return usage_error(invocation, "%s", problem);
 *	if (arguments.values[OPTION_FORCE])
 *		...
 *
 * Understood are --name VALUE, --name=VALUE, -x VALUE, -xVALUE, -xy for flags, and "--" before
 * operands that start with a dash. Options may stand before and behind operands. Every command has
 * -h and --help. Names are never abbreviated: a later version may add options.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stddef.h>

enum option_id {
	OPTION_NONE,
	OPTION_HELP,
	OPTION_STORE,
	OPTION_PLATFORM,
	OPTION_PLAIN_HTTP,
	OPTION_QUIET,
	OPTION_JSON,
	OPTION_SIZE,
	OPTION_UUID,
	OPTION_LABEL,
	OPTION_FORCE,
	OPTION_COUNT,
};

struct option_spec {
	enum option_id id;
	char letter;	   /* of the short form, or 0 */
	const char *name;  /* without the dashes */
	const char *value; /* its name in help, such as DIR; NULL: the option is a flag */
	const char *help;  /* may have several lines */
};

/* Options that commands share. */
#define OPTION_SPEC_STORE                                                         \
	{                                                                         \
		OPTION_STORE, 0, "store", "DIR", "folder of the store; see below" \
	}
#define OPTION_SPEC_END                          \
	{                                        \
		OPTION_NONE, 0, NULL, NULL, NULL \
	}

/* Points into the words that options_parse was given. */
struct arguments {
	const char *values[OPTION_COUNT]; /* NULL: not given; a flag that was given is "" */
	char **operands;
	size_t operand_count;
};

/* Bytes for what is wrong, one line. */
#define OPTIONS_PROBLEM 256

/*
 * words ends with NULL; its operands are moved to its front. The last of several values counts.
 * Returns 0, or -1 with problem set.
 */
int options_parse(struct arguments *arguments, char problem[OPTIONS_PROBLEM],
		  const struct option_spec *specs, char **words);

/* The -h that every command has. */
extern const struct option_spec option_help;

#endif
