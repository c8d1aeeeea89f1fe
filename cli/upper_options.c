/* SPDX-License-Identifier: Apache-2.0 */
#include "upper_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "percent.h"
#include "size.h"

#define MOST_RESERVED 50 /* percent */

/*
 * SOURCE_DATE_EPOCH: seconds since 1970 in decimal digits, nothing else. A value that is set but
 * wrong must not become another time silently.
 */
static int read_source_date(int64_t *seconds, const char *text)
{
	uint64_t value = 0;

	*seconds = 0;
	if (!text)
		return 0;
	if (!*text || text[strspn(text, "0123456789")])
		return -1;
	errno = 0;
	value = strtoull(text, NULL, 10);
	if (errno || value > INT64_MAX)
		return -1;
	*seconds = (int64_t)value;
	return 0;
}

/*
 * A size that was given, else 0, which is the library's default. Returns 0 or an exit code.
 */
static int read_size(uint64_t *size, const struct invocation *invocation, enum option_id id,
		     const char *name)
{
	const char *text = invocation->arguments.values[id];
	const char *problem = text ? size_parse(size, text) : NULL;

	if (text && !problem && *size == 0)
		problem = "is too small";
	return problem ? usage_error(invocation, "'--%s %s' %s", name, text, problem) : 0;
}

static int read_sizes(struct mkrootfs_upper_options *options, const struct invocation *invocation)
{
	const char *text = invocation->arguments.values[OPTION_SIZE];
	const char *problem = text ? size_parse(&options->size, text) : NULL;
	int code;

	if (problem)
		return usage_error(invocation, "'--size %s' %s", text, problem);
	if (text && options->size < MKROOTFS_UPPER_MIN_SIZE)
		return usage_error(invocation, "'--size %s' is below the smallest size, %u MiB",
				   text, MKROOTFS_UPPER_MIN_SIZE >> 20);
	code = read_size(&options->max_size, invocation, OPTION_MAX_SIZE, "max-size");
	if (!code)
		code = read_size(&options->inode_ratio, invocation, OPTION_INODE_RATIO,
				 "inode-ratio");
	if (!code)
		code = read_size(&options->journal_size, invocation, OPTION_JOURNAL_SIZE,
				 "journal-size");
	return code;
}

static int read_reserved(struct mkrootfs_upper_options *options,
			 const struct invocation *invocation)
{
	const char *text = invocation->arguments.values[OPTION_RESERVED_BLOCKS];
	const char *problem =
		text ? percent_parse(&options->reserved_ppm, text, MOST_RESERVED) : NULL;

	return problem ? usage_error(invocation, "'--reserved-blocks %s' %s", text, problem) : 0;
}

int upper_options_read(struct mkrootfs_upper_options *options, const struct invocation *invocation)
{
	const char *const *values = invocation->arguments.values;
	const char *date = getenv("SOURCE_DATE_EPOCH");
	int code;

	*options = (struct mkrootfs_upper_options){
		.uuid = values[OPTION_UUID],
		.label = values[OPTION_LABEL],
		.replace = is_given(invocation, OPTION_FORCE),
	};
	code = read_sizes(options, invocation);
	if (!code)
		code = read_reserved(options, invocation);
	if (code)
		return code;
	if (read_source_date(&options->source_date, date) < 0)
		return usage_error(invocation,
				   "SOURCE_DATE_EPOCH is '%s', not a number of seconds since 1970",
				   date);
	return 0;
}
