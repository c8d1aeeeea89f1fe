/* SPDX-License-Identifier: Apache-2.0 */
#include "auth_rewrite.h"

#include "../base/secret.h"
#include "../io/file_sync.h"
#include "../io/temp_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_folders(const char *folder, struct mkrootfs_error *error)
{
	char *path = strdup(folder);
	int status = 0;

	if (!path)
		return error_no_memory(error);
	for (char *end = path; end && status == 0;) {
		end = strchr(end + 1, '/');
		if (end)
			*end = '\0';
		if (mkdir(path, 0700) < 0 && errno != EEXIST)
			status = error_set_errno(error, errno, "make the folder '%.300s'", path);
		if (end)
			*end = '/';
	}
	free(path);
	return status;
}

static int set_paths(struct auth_rewrite *edit, const char *path, struct mkrootfs_error *error)
{
	const char *slash;

	edit->path = realpath(path, NULL);
	if (!edit->path)
		edit->path = strdup(path);
	if (!edit->path)
		return error_no_memory(error);
	slash = strrchr(edit->path, '/');
	if (slash)
		edit->folder =
			strndup(edit->path, slash == edit->path ? 1 : (size_t)(slash - edit->path));
	else
		edit->folder = strdup(".");
	return edit->folder ? 0 : error_no_memory(error);
}

/* Where folders cannot be locked, two logins at once may lose one of them: nothing worse. */
static int lock_folder(struct auth_rewrite *edit, struct mkrootfs_error *error)
{
	edit->lock = folder_open(edit->path);
	if (edit->lock < 0)
		return error_set_errno(error, errno, "open the folder '%.300s'", edit->folder);
	while (flock(edit->lock, LOCK_EX) < 0 && errno == EINTR)
		;
	return 0;
}

int auth_rewrite_open(struct auth_rewrite *edit, const char *path, bool make,
		      struct mkrootfs_error *error)
{
	int status;

	*edit = (struct auth_rewrite){ .lock = -1 };
	status = set_paths(edit, path, error);
	if (status == 0 && make)
		status = make_folders(edit->folder, error);
	if (status == 0 && (make || access(edit->folder, F_OK) == 0))
		status = lock_folder(edit, error);
	if (status == 0)
		status = auth_file_load(&edit->file, edit->path, error);
	if (status == 0 && !edit->file.root && make) {
		edit->file.root = jval_new_object();
		status = edit->file.root ? 0 : error_no_memory(error);
	}
	return status;
}

void auth_rewrite_close(struct auth_rewrite *edit)
{
	auth_file_unload(&edit->file);
	if (edit->lock >= 0)
		close(edit->lock);
	free(edit->path);
	free(edit->folder);
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t done = write(fd, text, len);

		if (done < 0 && errno != EINTR)
			return -1;
		text += done > 0 ? done : 0;
		len -= done > 0 ? (size_t)done : 0;
	}
	return 0;
}

/* For the user alone from the start, and still that user's when root edits it. */
static int set_owner(int fd, const char *path)
{
	struct stat old;

	if (stat(path, &old) == 0 && (old.st_uid != geteuid() || old.st_gid != getegid()) &&
	    fchown(fd, old.st_uid, old.st_gid) < 0 && geteuid() == 0)
		return -1;
	return fchmod(fd, 0600);
}

static int publish(struct auth_rewrite *edit, const char *text, struct mkrootfs_error *error)
{
	struct temp_file temp;
	int status;

	if (temp_file_open(&temp, edit->folder, false, error) < 0)
		return error->status;
	if (set_owner(temp.fd, edit->path) < 0 || write_all(temp.fd, text, strlen(text)) < 0 ||
	    write_all(temp.fd, "\n", 1) < 0 || file_sync(temp.fd) < 0)
		status = error_set_errno(error, errno, "write '%.300s'", edit->path);
	else
		status = temp_file_publish(&temp, edit->path, true, error);
	if (status == 0 && folder_sync(edit->lock) < 0)
		status = error_set_errno(error, errno, "sync '%.300s'", edit->folder);
	temp_file_close(&temp);
	return status;
}

int auth_rewrite_check(const struct auth_rewrite *edit, struct mkrootfs_error *error)
{
	struct temp_file temp;
	struct stat st;

	if (stat(edit->path, &st) == 0 && S_ISDIR(st.st_mode))
		return error_set_errno(error, EISDIR, "write '%.300s'", edit->path);
	if (temp_file_open(&temp, edit->folder, false, error) < 0)
		return error_prefix(error, "'%.300s': ", edit->path);
	temp_file_close(&temp);
	return 0;
}

int auth_rewrite_save(struct auth_rewrite *edit, struct mkrootfs_error *error)
{
	char *text;
	int status = jval_rewrite(&text, edit->file.root, error);

	if (status == 0)
		status = publish(edit, text, error);
	secret_free(text);
	return status;
}
