/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int output_folder(char **out, const char *path, struct mkrootfs_error *error)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		*out = strdup(".");
	else
		*out = strndup(path, slash == path ? 1 : (size_t)(slash - path));
	return *out ? 0 : error_no_memory(error);
}

int output_refuse_input(const char *path, const char *input, struct mkrootfs_error *error)
{
	struct stat output, other;

	if (stat(path, &output) < 0 || stat(input, &other) < 0 || output.st_dev != other.st_dev ||
	    output.st_ino != other.st_ino)
		return 0;
	return error_set(error, MKROOTFS_ERROR_INVALID, "'%s' cannot be made of itself: it is '%s'",
			 path, input);
}

int output_check(const char *path, int replace, struct mkrootfs_error *error)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return 0;
	if (!S_ISREG(st.st_mode))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "'%s' exists and is no regular file", path);
	if (replace)
		return 0;
	error_set(error, MKROOTFS_ERROR_IO, "'%s' exists already", path);
	error->os_errno = EEXIST;
	return error->status;
}

int output_write(const char *path, int replace, output_fill_fn fill, void *user,
		 struct mkrootfs_error *error)
{
	struct image_file *file = NULL;
	char *folder = NULL;
	int status = output_check(path, replace, error);

	if (status == 0)
		status = output_folder(&folder, path, error);
	if (status == 0)
		status = image_file_create(&file, folder, error);
	if (status == 0)
		status = fill(user, file, error);
	if (status == 0)
		status = image_file_commit(file, path, replace ? IMAGE_FILE_REPLACE : 0, error);
	image_file_close(file);
	free(folder);
	return status;
}
