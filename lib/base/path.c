/* SPDX-License-Identifier: Apache-2.0 */
#include "path.h"

#include <stdbool.h>
#include <string.h>

static bool component_is(const char *component, size_t len, const char *name)
{
	return len == strlen(name) && !memcmp(component, name, len);
}

/* "a/b" becomes "a", "a" becomes "". */
static void drop_last(struct buf *path)
{
	while (path->len > 0 && path->data[path->len - 1] != '/')
		path->len--;
	if (path->len > 0)
		path->len--;
	path->data[path->len] = '\0';
}

static int append_component(struct buf *path, const char *component, size_t len,
			    struct mkrootfs_error *error)
{
	int status;

	if (len > PATH_NAME_MAX)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "name component '%.*s...' has %zu bytes, the limit is %d", 40,
				 component, len, PATH_NAME_MAX);
	if (path->len > 0) {
		status = buf_append(path, "/", 1, error);
		if (status < 0)
			return status;
	}
	return buf_append(path, component, len, error);
}

static int add_component(struct buf *path, uint32_t *depth, const char *component, size_t len,
			 struct mkrootfs_error *error)
{
	if (len == 0 || component_is(component, len, "."))
		return 0;
	if (!component_is(component, len, "..")) {
		(*depth)++;
		return append_component(path, component, len, error);
	}
	if (*depth == 0)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "the name climbs above the root");
	(*depth)--;
	drop_last(path);
	return 0;
}

int path_normalise(struct buf *out, const char *name, size_t len, uint32_t max_depth,
		   struct mkrootfs_error *error)
{
	const char *end = name + len;
	uint32_t depth = 0;
	int status = buf_append(out, "", 0, error);

	buf_clear(out);
	if (status == 0 && len > 0 && memchr(name, '\0', len))
		status = error_set(error, MKROOTFS_ERROR_MALFORMED, "the name holds a NUL");
	while (status == 0 && name < end) {
		const char *slash = memchr(name, '/', (size_t)(end - name));
		const char *stop = slash ? slash : end;

		status = add_component(out, &depth, name, (size_t)(stop - name), error);
		if (status == 0 && depth > max_depth)
			status = error_set(
				error, MKROOTFS_ERROR_LIMIT,
				"the path has more than %u components (limits.path_depth)",
				max_depth);
		name = stop + 1;
	}
	return status;
}

size_t path_next(const char **rest, const char **component)
{
	size_t len = strcspn(*rest, "/");

	*component = *rest;
	*rest += len;
	if (**rest == '/')
		(*rest)++;
	return len;
}

size_t path_step(const char *path, size_t *at, const char **component)
{
	size_t len;

	do {
		*at += strspn(path + *at, "/");
		*component = path + *at;
		len = strcspn(*component, "/");
		*at += len;
	} while (len == 1 && **component == '.');
	return len;
}

bool path_is_last(const char *path, size_t at)
{
	return path[at + strspn(path + at, "/")] == '\0';
}
