/* SPDX-License-Identifier: Apache-2.0 */
#include "entry_path.h"

#include <string.h>

/* A component that stays as it is. Those with a dot in front are left to path_normalise. */
static bool is_plain(const char *name, size_t len)
{
	return len > 0 && len <= PATH_NAME_MAX && name[0] != '.' && !memchr(name, '\0', len);
}

static bool has_folder(const struct entry_path *path, const char *name, size_t len)
{
	return len > 0 && path->folder.len == len && !memcmp(path->folder.data, name, len);
}

/* The last component takes the place of the one before. */
static int replace_last(struct entry_path *path, const char *last, size_t len,
			struct mkrootfs_error *error)
{
	path->normal.len = path->normal_base;
	return buf_append(&path->normal, last, len, error);
}

static int set_folder(struct entry_path *path, const char *name, size_t len, size_t last_len,
		      struct mkrootfs_error *error)
{
	buf_clear(&path->folder);
	path->normal_base = path->normal.len - last_len;
	return buf_append(&path->folder, name, len, error);
}

int entry_path_set(struct entry_path *path, const char *name, size_t len, uint32_t max_depth,
		   struct mkrootfs_error *error)
{
	const char *slash = memrchr(name, '/', len);
	size_t folder_len = slash ? (size_t)(slash + 1 - name) : 0, last_len = len - folder_len;
	bool plain = is_plain(name + folder_len, last_len);
	int status;

	if (plain && has_folder(path, name, folder_len))
		return replace_last(path, name + folder_len, last_len, error);
	buf_clear(&path->folder);
	status = path_normalise(&path->normal, name, len, max_depth, error);
	if (status == 0 && plain)
		status = set_folder(path, name, folder_len, last_len, error);
	return status;
}

void entry_path_free(struct entry_path *path)
{
	buf_free(&path->normal);
	buf_free(&path->folder);
}
