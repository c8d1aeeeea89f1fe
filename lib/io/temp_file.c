/* SPDX-License-Identifier: Apache-2.0 */
#include "temp_file.h"

#include "temp_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#define FILE_MODE 0666 /* less the umask, which the kernel applies */

/* Filesystems without locks leave files that temp_file_clean then leaves too. */
static void lock(int fd)
{
	while (flock(fd, LOCK_EX) < 0 && errno == EINTR)
		;
}

#if defined(__linux__)

static void proc_path(char path[32], int fd)
{
	snprintf(path, 32, "/proc/self/fd/%d", fd);
}

/* -1 where there are no such files, or no way to name them later. */
static int open_unnamed(const char *folder)
{
	char proc[32];
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, FILE_MODE);

	if (fd < 0)
		return -1;
	proc_path(proc, fd);
	if (access(proc, F_OK) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static int link_fd(int fd, const char *path)
{
	char proc[32];

	proc_path(proc, fd);
	return linkat(AT_FDCWD, proc, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

static int rename_exclusive(const char *from, const char *to)
{
	const unsigned no_replace = 1; /* RENAME_NOREPLACE of linux/fs.h, since 3.15 */

	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, no_replace);
}

#else

static int open_unnamed(const char *folder)
{
	(void)folder;
	return -1;
}

static int link_fd(int fd, const char *path)
{
	(void)fd;
	(void)path;
	errno = EOPNOTSUPP;
	return -1;
}

static int rename_exclusive(const char *from, const char *to)
{
	(void)from;
	(void)to;
	errno = ENOSYS;
	return -1;
}

#endif

static int make_file(const char *path, void *user)
{
	int *fd = user;

	*fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
	return *fd;
}

static int make_link(const char *path, void *user)
{
	return link_fd(*(const int *)user, path);
}

/* Between its creation and its lock a cleaner may have taken the file for an abandoned one. */
static bool was_cleaned(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && status.st_nlink == 0;
}

static int open_named(struct temp_file *temp, const char *folder, struct mkrootfs_error *error)
{
	temp_file_clean(folder);
	for (;;) {
		if (temp_name_make(&temp->path, folder, make_file, &temp->fd) < 0)
			return error_set_errno(error, errno, "create a file in '%s'", folder);
		lock(temp->fd);
		if (!was_cleaned(temp->fd))
			return 0;
		close(temp->fd);
		free(temp->path);
		temp->path = NULL;
	}
}

int temp_file_open(struct temp_file *temp, const char *folder, bool named,
		   struct mkrootfs_error *error)
{
	temp->path = NULL;
	temp->fd = named ? -1 : open_unnamed(folder);
	if (temp->fd < 0)
		return open_named(temp, folder, error);
	lock(temp->fd);
	return 0;
}

/* Gives an unnamed file a temporary name beside path, to be renamed from. */
static int name_beside(struct temp_file *temp, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int result = -1;

	if (folder) {
		temp_file_clean(folder);
		result = temp_name_make(&temp->path, folder, make_link, &temp->fd);
	}
	free(folder);
	return result;
}

/* Only where there is something to replace does a second name appear, for a moment. */
static int replace_path(struct temp_file *temp, const char *path)
{
	if (!temp->path) {
		if (link_fd(temp->fd, path) == 0)
			return 0;
		if (errno != EEXIST || name_beside(temp, path) < 0)
			return -1;
	}
	return rename(temp->path, path);
}

static int create_path(struct temp_file *temp, const char *path)
{
	if (!temp->path)
		return link_fd(temp->fd, path);
	if (rename_exclusive(temp->path, path) == 0)
		return 0;
	if (errno != ENOSYS && errno != EINVAL)
		return -1;
	if (link(temp->path, path) < 0)
		return -1;
	unlink(temp->path); /* a crash before this leaves one name too many, which is cleaned */
	return 0;
}

int temp_file_publish(struct temp_file *temp, const char *path, bool replace,
		      struct mkrootfs_error *error)
{
	int result = replace ? replace_path(temp, path) : create_path(temp, path);

	if (result < 0)
		return error_set_errno(error, errno, "%s '%s'", replace ? "replace" : "create",
				       path);
	free(temp->path);
	temp->path = NULL;
	return 0;
}

void temp_file_close(struct temp_file *temp)
{
	if (temp->path)
		unlink(temp->path);
	free(temp->path);
	temp->path = NULL;
	close(temp->fd);
}
