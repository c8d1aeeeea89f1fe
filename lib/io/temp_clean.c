/* SPDX-License-Identifier: Apache-2.0 */
#include "temp_file.h"

#include "temp_name.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name may have gone to another file since it was opened. */
static bool still_names(int folder, const char *name, int fd)
{
	struct stat by_name, by_fd;

	return fstatat(folder, name, &by_name, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstat(fd, &by_fd) == 0 && by_name.st_dev == by_fd.st_dev &&
	       by_name.st_ino == by_fd.st_ino && S_ISREG(by_fd.st_mode);
}

static void clean(int folder, const char *name)
{
	/* O_NONBLOCK: somebody may have made a fifo of that name. */
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && still_names(folder, name, fd))
		unlinkat(folder, name, 0);
	close(fd);
}

void temp_file_clean(const char *folder)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;

	if (!directory)
		return;
	while ((entry = readdir(directory)))
		if (temp_name_is(entry->d_name))
			clean(dirfd(directory), entry->d_name);
	closedir(directory);
}
