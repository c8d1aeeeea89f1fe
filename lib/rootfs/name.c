/* SPDX-License-Identifier: Apache-2.0 */
#include "name.h"

#include "../base/buf.h"

#include <stdlib.h>
#include <string.h>

/* What stands behind the folder in a layout's reference: [:NAME][@DIGEST]. */
static const char *behind_folder(const struct reference *reference)
{
	return reference->text + strlen("oci:") + strlen(reference->path);
}

static int parse_absolute(struct reference *out, const char *folder, struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(REFERENCE_TEXT_SIZE);
	int status = buf_printf(&text, error, "oci:%s%s", folder, behind_folder(out));

	if (status == 0)
		status = reference_parse(out, (char *)text.data, error);
	buf_free(&text);
	return status;
}

/* A folder that is missing, or has a ':' in its absolute path, stays as it was given. */
int name_parse(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	int status = reference_parse(out, text, error);
	char *folder;

	if (status < 0 || out->kind != REFERENCE_LAYOUT)
		return status;
	folder = realpath(out->path, NULL);
	if (folder && !strchr(folder, ':'))
		status = parse_absolute(out, folder, error);
	free(folder);
	return status;
}
