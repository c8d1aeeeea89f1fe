/* SPDX-License-Identifier: Apache-2.0 */
#include "folder.h"

#include "../io/file_sync.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_PATH_MAX 8192u
#define MAX_OPEN_FOLDERS 16

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int make_one(const char *path, struct mkrootfs_error *error)
{
	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return error_set_errno(error, errno, "make the folder '%s'", path);
	if (is_folder(path))
		return 0;
	return error_set_errno(error, ENOTDIR, "make the folder '%s'", path);
}

int folder_make(const char *path, struct mkrootfs_error *error)
{
	char *copy;
	int status;

	if (is_folder(path))
		return 0;
	copy = strdup(path);
	status = copy ? 0 : error_no_memory(error);

	for (char *at = copy; status == 0 && *at; at++) {
		if (*at != '/' || at == copy)
			continue;
		*at = '\0';
		status = make_one(copy, error);
		*at = '/';
	}
	if (status == 0)
		status = make_one(copy, error);
	free(copy);
	return status;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *place)
{
	(void)st;
	(void)type;
	(void)place;
	remove(path);
	return 0;
}

/* Depth first; symbolic links are removed, not followed; what cannot be removed stays. */
void folder_remove(const char *path)
{
	nftw(path, remove_one, MAX_OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

void folder_empty(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	char inner[FOLDER_PATH_MAX];

	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (!is_dots(entry->d_name) && snprintf(inner, sizeof(inner), "%s/%s", path,
							entry->d_name) < (int)sizeof(inner))
			folder_remove(inner);
	closedir(folder);
}

/* mkdtemp would make it private; a published folder shall be as open as the user's umask says. */
int folder_make_temporary(struct buf *path, const char *parent, struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t number = (uint32_t)getpid();; number += 0x10000) {
		buf_clear(path);
		status = buf_printf(path, error, "%s/image-%x", parent, number);
		if (status < 0 || mkdir((char *)path->data, 0777) == 0)
			return status;
		if (errno != EEXIST)
			return error_set_errno(error, errno, "make the folder '%s'",
					       (char *)path->data);
	}
}

/* Takes fd, which may be -1. */
static int sync_and_close(int fd, const char *path, struct mkrootfs_error *error)
{
	int status = 0;

	if (fd < 0 || folder_sync(fd) < 0)
		status = error_set_errno(error, errno, "sync '%s'", path);
	if (fd >= 0)
		close(fd);
	return status;
}

static int sync_folder(const char *path, struct mkrootfs_error *error)
{
	return sync_and_close(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path, error);
}

/* What stands there, a damaged folder or anything else, makes way: first aside, then removed. */
static int move_aside(const char *from, const char *to, struct mkrootfs_error *error)
{
	struct buf aside = BUF_INIT(FOLDER_PATH_MAX);
	int status = buf_printf(&aside, error, "%s.old", from);

	if (status == 0 && rename(to, (char *)aside.data) < 0)
		status = error_set_errno(error, errno, "move '%s' aside", to);
	if (status == 0 && rename(from, to) < 0)
		status = error_set_errno(error, errno, "rename '%s' to '%s'", from, to);
	if (status == 0)
		folder_remove((char *)aside.data);
	buf_free(&aside);
	return status;
}

int folder_publish(const char *from, const char *to, struct mkrootfs_error *error)
{
	int status = sync_folder(from, error);

	if (status == 0 && rename(from, to) < 0) {
		if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR)
			status = move_aside(from, to, error);
		else
			status = error_set_errno(error, errno, "rename '%s' to '%s'", from, to);
	}
	return status < 0 ? status : sync_and_close(folder_open(to), to, error);
}

static int visit_all(struct dirent **names, int count, folder_visit_fn visit, void *user,
		     struct mkrootfs_error *error)
{
	int status = 0;

	for (int i = 0; i < count; i++) {
		if (status == 0 && !is_dots(names[i]->d_name))
			status = visit(user, names[i]->d_name, error);
		free(names[i]);
	}
	return status;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int folder_each(const char *path, folder_visit_fn visit, void *user, struct mkrootfs_error *error)
{
	struct dirent **names;
	int count = scandir(path, &names, NULL, by_bytes), status;

	if (count < 0 && errno == ENOENT)
		return 0;
	if (count < 0)
		return error_set_errno(error, errno, "list '%s'", path);
	status = visit_all(names, count, visit, user, error);
	free(names);
	return status;
}
