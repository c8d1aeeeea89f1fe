/* SPDX-License-Identifier: Apache-2.0 */
#include "name.h"

#include "../base/buf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind the path in a place's reference: [:NAME][@DIGEST]. */
static const char *behind_path(const struct reference *reference)
{
	return reference->text + strlen(reference_scheme(reference->kind)) +
	       strlen(reference->path);
}

static int parse_absolute(struct reference *out, const char *path, struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(REFERENCE_TEXT_SIZE);
	int status = buf_printf(&text, error, "%s%s%s", reference_scheme(out->kind), path,
				behind_path(out));

	if (status == 0)
		status = reference_parse(out, (char *)text.data, error);
	buf_free(&text);
	return status;
}

/* Where the path is all that stands behind the transport, it may hold anything. */
static bool may_hold(enum reference_kind kind, const char *path)
{
	return kind == REFERENCE_DIRECTORY || kind == REFERENCE_TAR || !strchr(path, ':');
}

/* Absolute and without symbolic links, also of a name that is not there in a folder that is. */
static char *absolute(const char *path)
{
	char *whole = realpath(path, NULL), *copy, *slash, *folder, *out = NULL;

	if (whole || errno != ENOENT)
		return whole;
	copy = strdup(path);
	slash = copy ? strrchr(copy, '/') : NULL;
	if (slash)
		*slash = '\0';
	folder = realpath(slash ? (slash > copy ? copy : "/") : ".", NULL);
	if (folder && copy && asprintf(&out, "%s/%s", folder, slash ? slash + 1 : copy) < 0)
		out = NULL;
	free(folder);
	free(copy);
	return out;
}

int name_parse(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	int status = reference_parse(out, text, error);
	char *path;

	if (status < 0 || out->kind == REFERENCE_REGISTRY || reference_is_stdin(out))
		return status;
	path = absolute(out->path);
	if (path && may_hold(out->kind, path))
		status = parse_absolute(out, path, error);
	free(path);
	return status;
}

int name_parse_given(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	int status = reference_parse(out, text, error);

	if (status == 0 && out->kind != REFERENCE_REGISTRY)
		status = error_set(error, MKROOTFS_ERROR_INVALID,
				   "the name '%.200s' must be one as docker takes it, such as "
				   "example.com/x:1",
				   text);
	return status;
}
