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
 *
 * Of an option that makes sense several times, a command takes all values:
 *
 *	const char *mirrors[OPTIONS_MAX];
 *	size_t count = arguments_values(mirrors, &arguments, OPTION_MIRROR);
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stddef.h>

enum option_id {
	OPTION_NONE,
	OPTION_HELP,
	OPTION_STORE,
	OPTION_PLATFORM,
	OPTION_NAME,
	OPTION_PLAIN_HTTP,
	OPTION_CA_CERT,
	OPTION_CERT_DIR,
	OPTION_TLS_VERIFY,
	OPTION_RETRY_TIMES,
	OPTION_CONNECT_TIMEOUT,
	OPTION_IDLE_TIMEOUT,
	OPTION_MIRROR,
	OPTION_TOKEN_HOST,
	OPTION_REGISTRIES_CONF,
	OPTION_QUIET,
	OPTION_JSON,
	OPTION_SIZE,
	OPTION_UUID,
	OPTION_LABEL,
	OPTION_FORCE,
	OPTION_OUTPUT,
	OPTION_FORMAT,
	OPTION_SOURCE,
	OPTION_REMOVE_DAMAGED,
	OPTION_LONG,
	OPTION_RECURSIVE,
	OPTION_DIRECTORY,
	OPTION_NULL,
	OPTION_MAX_ENTRIES,
	OPTION_MAX_UNPACKED,
	OPTION_MAX_RATIO,
	OPTION_MAX_DEPTH,
	OPTION_MAX_XATTRS,
	OPTION_MAX_LAYERS,
	OPTION_JOBS,
	OPTION_THREADS,
	OPTION_TIMINGS,
	OPTION_PULL,
	OPTION_NO_PARTIAL,
	OPTION_CREDS,
	OPTION_USERNAME,
	OPTION_PASSWORD,
	OPTION_PASSWORD_STDIN,
	OPTION_AUTHFILE,
	OPTION_GET_LOGIN,
	OPTION_ALL,
	OPTION_MAX_SIZE,
	OPTION_INODE_RATIO,
	OPTION_JOURNAL_SIZE,
	OPTION_RESERVED_BLOCKS,
	OPTION_IMAGE,
	OPTION_COPY_IN,
	OPTION_FROM,
	OPTION_MKDIR,
	OPTION_WRITE,
	OPTION_SYMLINK,
	OPTION_REMOVE,
	OPTION_CHOWN,
	OPTION_CHMOD,
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

#define OPTIONS_MAX 256 /* values on one command line */

struct option_value {
	enum option_id id;
	const char *value;
};

/* Points into the words that options_parse was given. */
struct arguments {
	/* The last of each option; NULL: not given; a flag that was given is "". */
	const char *values[OPTION_COUNT];
	struct option_value all[OPTIONS_MAX]; /* those of options with values, as they came */
	size_t all_count;
	char **operands;
	size_t operand_count;
};

/* Bytes for what is wrong, one line. */
#define OPTIONS_PROBLEM 256

/* words ends with NULL; its operands are moved to its front. Returns 0, or -1 with problem set. */
int options_parse(struct arguments *arguments, char problem[OPTIONS_PROBLEM],
		  const struct option_spec *specs, char **words);

/* Every value that was given of one option, in their order; returns how many. */
size_t arguments_values(const char *values[OPTIONS_MAX], const struct arguments *arguments,
			enum option_id id);

/* The -h that every command has. */
extern const struct option_spec option_help;

#endif
