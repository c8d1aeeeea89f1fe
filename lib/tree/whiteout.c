/* SPDX-License-Identifier: Apache-2.0 */
#include "whiteout.h"

#include "../base/path.h"

#include <stdbool.h>
#include <string.h>

static bool starts_with(const char *name, size_t len, const char *prefix)
{
	return len >= strlen(prefix) && !memcmp(name, prefix, strlen(prefix));
}

static bool equals(const char *name, size_t len, const char *other)
{
	return len == strlen(other) && starts_with(name, len, other);
}

static enum whiteout_kind classify_name(const char *name, size_t len)
{
	if (!starts_with(name, len, WHITEOUT_PREFIX))
		return WHITEOUT_NONE;
	if (equals(name, len, ".wh..wh..opq"))
		return WHITEOUT_OPAQUE;
	return starts_with(name, len, ".wh..wh.") ? WHITEOUT_SKIP : WHITEOUT_NAME;
}

static bool is_empty_whiteout(const char *name, size_t len)
{
	return equals(name, len, ".wh.") || equals(name, len, ".wh..") ||
	       equals(name, len, ".wh...");
}

int whiteout_classify(enum whiteout_kind *kind, const char *path, struct mkrootfs_error *error)
{
	const char *name;
	size_t len;

	*kind = WHITEOUT_NONE;
	while (*kind == WHITEOUT_NONE && (len = path_next(&path, &name)) > 0)
		*kind = classify_name(name, len);
	if (*kind == WHITEOUT_NONE || *kind == WHITEOUT_SKIP)
		return 0;
	if (*path)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "the whiteout '%.*s' is used as a folder", (int)len, name);
	if (is_empty_whiteout(name, len))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "the whiteout '%.*s' names no file to delete", (int)len, name);
	return 0;
}
