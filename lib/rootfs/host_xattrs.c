/* SPDX-License-Identifier: Apache-2.0 */
#include "host_xattrs.h"

#include "../erofs/marks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/xattr.h>

#define LIST_MAX (64u << 10) /* XATTR_LIST_MAX */
#define VALUE_MAX (64u << 10)

static bool is_wanted(const char *name)
{
	return (!strncmp(name, "user.", 5) && !erofs_mark_is_private(name, strlen(name))) ||
	       !strcmp(name, "security.capability") || !strcmp(name, "system.posix_acl_access") ||
	       !strcmp(name, "system.posix_acl_default");
}

/* One that cannot be read is as if it were not there. */
static int add(struct xattr_pool *pool, uint32_t *set, const char *path, const char *name,
	       uint8_t *value, struct mkrootfs_error *error)
{
	ssize_t len = lgetxattr(path, name, value, VALUE_MAX - 1);
	const struct xattr_entry entry = { name, strlen(name), value, len < 0 ? 0 : (size_t)len };

	return len < 0 ? 0 : xattr_pool_with(pool, set, *set, &entry, error);
}

static int read_all(struct xattr_pool *pool, uint32_t *set, const char *path, char *names,
		    uint8_t *value, struct mkrootfs_error *error)
{
	ssize_t len = llistxattr(path, names, LIST_MAX);
	int status = 0;

	for (ssize_t at = 0; status == 0 && at < len; at += (ssize_t)strlen(names + at) + 1)
		if (is_wanted(names + at))
			status = add(pool, set, path, names + at, value, error);
	return status;
}

int host_xattrs_read(struct xattr_pool *pool, uint32_t *set, const char *path,
		     struct mkrootfs_error *error)
{
	char *names;
	uint8_t *value;
	int status;

	*set = 0;
	if (llistxattr(path, NULL, 0) <= 0)
		return 0;
	names = malloc(LIST_MAX);
	value = malloc(VALUE_MAX);
	status = names && value ? read_all(pool, set, path, names, value, error)
				: error_no_memory(error);
	free(names);
	free(value);
	return status;
}
#else
int host_xattrs_read(struct xattr_pool *pool, uint32_t *set, const char *path,
		     struct mkrootfs_error *error)
{
	(void)pool;
	(void)path;
	(void)error;
	*set = 0;
	return 0;
}
#endif
