/* SPDX-License-Identifier: Apache-2.0 */
#include "xattr_name.h"

#include "format.h"

#include <string.h>

static const struct prefix {
	const char *text;
	uint8_t index;
	bool whole; /* the prefix is the full name */
} prefixes[] = {
	{ "user.", EROFS_XATTR_INDEX_USER, false },
	{ "trusted.", EROFS_XATTR_INDEX_TRUSTED, false },
	{ "security.", EROFS_XATTR_INDEX_SECURITY, false },
	{ "system.posix_acl_access", EROFS_XATTR_INDEX_POSIX_ACL_ACCESS, true },
	{ "system.posix_acl_default", EROFS_XATTR_INDEX_POSIX_ACL_DEFAULT, true },
};

#define PREFIX_COUNT (sizeof(prefixes) / sizeof(prefixes[0]))

bool erofs_xattr_split(struct erofs_xattr_name *out, const char *name, size_t len)
{
	for (size_t i = 0; i < PREFIX_COUNT; i++) {
		size_t prefix_len = strlen(prefixes[i].text);

		if (len < prefix_len || memcmp(name, prefixes[i].text, prefix_len) != 0)
			continue;
		out->index = prefixes[i].index;
		out->rest = name + prefix_len;
		out->rest_len = len - prefix_len;
		return prefixes[i].whole == (out->rest_len == 0);
	}
	return false;
}

const char *erofs_xattr_prefix(uint8_t index)
{
	for (size_t i = 0; i < PREFIX_COUNT; i++)
		if (prefixes[i].index == index)
			return prefixes[i].text;
	return NULL;
}
