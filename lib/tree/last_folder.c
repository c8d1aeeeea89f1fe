/* SPDX-License-Identifier: Apache-2.0 */
#include "last_folder.h"

int last_folder_set(struct last_folder *last, const struct tree *tree, uint32_t directory,
		    const char *path, size_t len, struct mkrootfs_error *error)
{
	int status;

	buf_clear(&last->path);
	status = buf_append(&last->path, path, len, error);
	last->directory = status < 0 ? 0 : directory;
	last->removals = tree->removals;
	return status;
}

void last_folder_free(struct last_folder *last)
{
	buf_free(&last->path);
}
