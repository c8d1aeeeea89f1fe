/* SPDX-License-Identifier: Apache-2.0 */
#include "pull_options.h"

#include <string.h>

#include "limits.h"
#include "number.h"
#include "registry_options.h"

static int read_policy(struct mkrootfs_pull_options *options, const struct invocation *invocation)
{
	static const char *const names[] = {
		[MKROOTFS_PULL_ALWAYS] = "always",
		[MKROOTFS_PULL_MISSING] = "missing",
		[MKROOTFS_PULL_NEWER] = "newer",
		[MKROOTFS_PULL_NEVER] = "never",
	};
	const char *text = invocation->arguments.values[OPTION_PULL];

	for (size_t i = 0; text && i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(text, names[i])) {
			options->policy = (enum mkrootfs_pull_policy)i;
			return 0;
		}
	}
	return text ? usage_error(invocation, "--pull '%s': always, missing, newer or never", text)
		    : 0;
}

/* From 1 to most; unless it is given, *out stays. */
static int read_count(unsigned *out, const struct invocation *invocation, enum option_id option,
		      const char *name, unsigned most)
{
	const char *text = invocation->arguments.values[option];
	const char *problem;
	uint64_t count;

	if (!text)
		return 0;
	problem = number_parse(&count, text, 1, most);
	if (problem)
		return usage_error(invocation, "%s '%s' %s; 1 to %u", name, text, problem, most);
	*out = (unsigned)count;
	return 0;
}

int read_pull_options(struct mkrootfs_pull_options *options, const struct invocation *invocation)
{
	const struct arguments *arguments = &invocation->arguments;
	int code;

	*options = (struct mkrootfs_pull_options){
		.reference = arguments->operands[0],
		.store = arguments->values[OPTION_STORE],
		.platform = arguments->values[OPTION_PLATFORM],
		.name = arguments->values[OPTION_NAME],
		.times = is_given(invocation, OPTION_TIMINGS),
		.no_partial = is_given(invocation, OPTION_NO_PARTIAL),
	};
	code = read_policy(options, invocation);
	if (!code)
		code = read_count(&options->jobs, invocation, OPTION_JOBS, "--jobs",
				  MKROOTFS_PULL_MAX_JOBS);
	if (!code)
		code = read_count(&options->threads, invocation, OPTION_THREADS, "--threads",
				  MKROOTFS_PULL_MAX_THREADS);
	if (!code)
		code = read_registry_options(&options->registry, invocation);
	return code ? code : limits_read(&options->limits, invocation);
}
