/* SPDX-License-Identifier: Apache-2.0 */
#include "path.h"

#include <string.h>

/* A path under construction, in a buffer that holds it whatever comes. */
struct normal {
	char *bytes;
	size_t len;
	uint32_t depth, max_depth;
};

/* "a/b" becomes "a", "a" becomes "". */
static int drop_last(struct normal *path, struct mkrootfs_error *error)
{
	if (path->depth == 0)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "the name climbs above the root");
	path->depth--;
	while (path->len > 0 && path->bytes[path->len - 1] != '/')
		path->len--;
	if (path->len > 0)
		path->len--;
	return 0;
}

static int append_component(struct normal *path, const char *component, size_t len,
			    struct mkrootfs_error *error)
{
	if (len > PATH_NAME_MAX)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "name component '%.*s...' has %zu bytes, the limit is %d", 40,
				 component, len, PATH_NAME_MAX);
	if (++path->depth > path->max_depth)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "the path has more than %u components (limits.path_depth)",
				 path->max_depth);
	if (path->len > 0)
		path->bytes[path->len++] = '/';
	memcpy(path->bytes + path->len, component, len);
	path->len += len;
	return 0;
}

static int add_component(struct normal *path, const char *component, size_t len,
			 struct mkrootfs_error *error)
{
	if (len == 0 || (component[0] == '.' && len == 1))
		return 0;
	if (component[0] == '.' && len == 2 && component[1] == '.')
		return drop_last(path, error);
	return append_component(path, component, len, error);
}

static int normalise(struct normal *path, const char *name, size_t len,
		     struct mkrootfs_error *error)
{
	const char *end = name + len;
	int status = 0;

	while (status == 0 && name < end) {
		const char *slash = memchr(name, '/', (size_t)(end - name));
		const char *stop = slash ? slash : end;

		status = add_component(path, name, (size_t)(stop - name), error);
		name = stop + 1;
	}
	return status;
}

int path_normalise(struct buf *out, const char *name, size_t len, uint32_t max_depth,
		   struct mkrootfs_error *error)
{
	struct normal path = { .max_depth = max_depth };
	uint8_t *bytes;
	int status;

	if (len > 0 && memchr(name, '\0', len))
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "the name holds a NUL");
	buf_clear(out);
	status = buf_grow(out, &bytes, len, error);
	if (status < 0)
		return status;
	path.bytes = (char *)bytes;
	status = normalise(&path, name, len, error);
	out->len = path.len;
	out->data[path.len] = '\0';
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
