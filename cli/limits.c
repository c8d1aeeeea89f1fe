/* SPDX-License-Identifier: Apache-2.0 */
#include "limits.h"

#include <inttypes.h>
#include <string.h>

#include "size.h"

static const struct {
	const char *member; /* as the library's errors name it */
	const char *option;
	enum option_id id;
	uint64_t most;
} limits_table[] = {
	{ "entries", "--max-entries", OPTION_MAX_ENTRIES, UINT32_MAX },
	{ "unpacked_size", "--max-unpacked", OPTION_MAX_UNPACKED, INT64_MAX },
	{ "ratio", "--max-ratio", OPTION_MAX_RATIO, UINT32_MAX },
	{ "path_depth", "--max-depth", OPTION_MAX_DEPTH, 65535 },
	{ "xattr_bytes", "--max-xattrs", OPTION_MAX_XATTRS, 1u << 30 },
	{ "layers", "--max-layers", OPTION_MAX_LAYERS, 65535 },
};

/* How the library's errors begin to name a member of struct mkrootfs_limits. */
#define NAMED "(limits."
#define LIMIT_COUNT (sizeof(limits_table) / sizeof(limits_table[0]))

static bool is_count(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

/* Returns 0 or an exit code. */
static int read_limit(uint64_t *value, const struct invocation *invocation, size_t i)
{
	const char *text = invocation->arguments.values[limits_table[i].id], *problem;
	bool is_size = limits_table[i].id == OPTION_MAX_UNPACKED ||
		       limits_table[i].id == OPTION_MAX_XATTRS;

	*value = 0;
	if (!text)
		return 0;
	problem = is_size || is_count(text) ? size_parse(value, text) : "is not a number";
	if (problem)
		return usage_error(invocation, "'%s %s' %s", limits_table[i].option, text, problem);
	/* To the library 0 means the default. */
	if (*value == 0 || *value > limits_table[i].most)
		return usage_error(invocation, "'%s %s' is not between 1 and %" PRIu64,
				   limits_table[i].option, text, limits_table[i].most);
	return 0;
}

int limits_read(struct mkrootfs_limits *limits, const struct invocation *invocation)
{
	uint64_t values[LIMIT_COUNT];

	*limits = (struct mkrootfs_limits){ 0 };
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		int code = read_limit(&values[i], invocation, i);

		if (code)
			return code;
	}
	*limits = (struct mkrootfs_limits){
		.entries = values[0],
		.unpacked_size = values[1],
		.ratio = (uint32_t)values[2],
		.path_depth = (uint32_t)values[3],
		.xattr_bytes = (uint32_t)values[4],
		.layers = (uint32_t)values[5],
	};
	return 0;
}

/* "entries" of "...(limits.entries)..."; the last: in front may stand names out of an archive. */
static char *find_member(char *message)
{
	char *found = NULL;

	for (char *at = message; (at = strstr(at, NAMED)) != NULL; at++)
		found = at;
	return found;
}

void limits_advise(struct mkrootfs_error *error)
{
	char *at = find_member(error->message), *member = at ? at + strlen(NAMED) : NULL;
	char rest[sizeof(error->message)];

	if (!at || error->status != MKROOTFS_ERROR_LIMIT)
		return;
	snprintf(rest, sizeof(rest), "%s", member);
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		size_t len = strlen(limits_table[i].member);

		if (!strncmp(rest, limits_table[i].member, len) && rest[len] == ')')
			snprintf(at, sizeof(error->message) - (size_t)(at - error->message),
				 "(raised by %s%s", limits_table[i].option, rest + len);
	}
}
