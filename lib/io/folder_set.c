/* SPDX-License-Identifier: Apache-2.0 */
#include "file_set.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder_set {
	struct file_set set;
	int fd;
};

static int check_regular(uint64_t *size, int fd, const char *name, struct mkrootfs_error *error)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set_errno(error, errno, "stat '%s'", name);
	if (!S_ISREG(st.st_mode))
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "'%s' is no regular file", name);
	*size = (uint64_t)st.st_size;
	return 0;
}

static int seek(int fd, const char *name, uint64_t offset, struct mkrootfs_error *error)
{
	if (offset == 0 || lseek(fd, (off_t)offset, SEEK_SET) >= 0)
		return 0;
	return error_set_errno(error, errno, "seek in '%s'", name);
}

/* A pipe or a device in the place of a file would hang the reader. */
static int folder_open_file(struct file_set *set, struct source **out, uint64_t *size,
			    const char *name, uint64_t offset, struct mkrootfs_error *error)
{
	const struct folder_set *folder = (struct folder_set *)set;
	int fd = openat(folder->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0 && errno == ELOOP)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "'%s' is a symbolic link", name);
	if (fd < 0)
		return error_set_errno(error, errno, "open '%s'", name);
	if (check_regular(size, fd, name, error) < 0 || seek(fd, name, offset, error) < 0 ||
	    source_fd(out, fd, error) < 0) {
		close(fd);
		return error->status;
	}
	return 0;
}

static void folder_close(struct file_set *set)
{
	struct folder_set *folder = (struct folder_set *)set;

	close(folder->fd);
	free(folder);
}

static const struct file_set_ops folder_ops = { folder_open_file, folder_close };

int file_set_folder(struct file_set **out, const char *path, struct mkrootfs_error *error)
{
	struct folder_set *folder = calloc(1, sizeof(*folder));

	*out = NULL;
	if (!folder)
		return error_no_memory(error);
	folder->set.ops = &folder_ops;
	folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder->fd < 0) {
		free(folder);
		return error_set_errno(error, errno, "open the folder");
	}
	*out = &folder->set;
	return 0;
}
