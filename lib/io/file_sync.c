/* SPDX-License-Identifier: Apache-2.0 */
#include "file_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int sync_once(int fd)
{
#if defined(F_FULLFSYNC) /* macOS, where fsync leaves the data in the drive's cache */
	if (fcntl(fd, F_FULLFSYNC) == 0)
		return 0;
	return fsync(fd);
#elif defined(__linux__)
	return fdatasync(fd);
#else
	return fsync(fd);
#endif
}

int file_sync(int fd)
{
	int result;

	do
		result = sync_once(fd);
	while (result < 0 && errno == EINTR);
	return result;
}

int folder_open(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder;
	int fd;

	if (!slash)
		return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	folder = strndup(path, slash == path ? 1 : (size_t)(slash - path));
	if (!folder)
		return -1;
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	return fd;
}

int folder_sync(int fd)
{
	int result;

	do
		result = fsync(fd);
	while (result < 0 && errno == EINTR);
	/* Filesystems that know no such thing say so: nothing is left to do there. */
	if (result < 0 && (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP))
		return 0;
	return result;
}

void file_write_behind(int fd, uint64_t offset, uint64_t len)
{
#if defined(__linux__)
	sync_file_range(fd, (off_t)offset, (off_t)len, SYNC_FILE_RANGE_WRITE);
#else
	(void)fd;
	(void)offset;
	(void)len;
#endif
}
