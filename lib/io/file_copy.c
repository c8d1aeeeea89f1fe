/* SPDX-License-Identifier: Apache-2.0 */
#include "file_copy.h"

#include "file_range.h"
#include "regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#endif

#define COPY_SIZE (1u << 20)

int file_share(int from, int to)
{
#ifdef FICLONE
	return ioctl(to, FICLONE, from);
#else
	(void)from;
	(void)to;
	errno = EOPNOTSUPP;
	return -1;
#endif
}

/* The next stretch of data at or behind *start; end of file gives an empty one. */
static void next_data(int fd, off_t size, off_t *start, off_t *end)
{
	off_t data = lseek(fd, *start, SEEK_DATA), hole;

	if (data < 0 && errno == ENXIO)
		data = size;
	else if (data < 0)
		data = *start;
	hole = data < size ? lseek(fd, data, SEEK_HOLE) : size;
	*start = data;
	*end = hole < 0 ? size : hole;
}

#ifdef __linux__
/* Within the kernel, and where the filesystem can by sharing: how many bytes, or -1. */
static ssize_t copy_inside(int from, int to, off_t start, size_t len)
{
	off_t at = start, to_at = start;

	return copy_file_range(from, &at, to, &to_at, len, 0);
}
#else
static ssize_t copy_inside(int from, int to, off_t start, size_t len)
{
	(void)from;
	(void)to;
	(void)start;
	(void)len;
	return -1;
}
#endif

static int copy_range(int from, int to, uint8_t *buffer, off_t start, off_t end)
{
	while (start < end) {
		size_t len = end - start < COPY_SIZE ? (size_t)(end - start) : COPY_SIZE, got;
		ssize_t copied = copy_inside(from, to, start, len);

		if (copied > 0)
			len = (size_t)copied;
		else if (file_range_read(from, (uint64_t)start, buffer, len, &got) < 0 ||
			 file_range_write(to, (uint64_t)start, buffer, len) < 0)
			return -1;
		start += (off_t)len;
	}
	return 0;
}

int file_copy_bytes(int from, int to)
{
	uint8_t *buffer = malloc(COPY_SIZE);
	off_t start = 0, end = 0;
	struct stat st;
	int failed = !buffer || fstat(from, &st) < 0 || ftruncate(to, st.st_size) < 0;

	while (!failed && start < st.st_size) {
		next_data(from, st.st_size, &start, &end);
		failed = copy_range(from, to, buffer, start, end) < 0;
		start = end;
	}
	free(buffer);
	return failed ? -1 : 0;
}

static int copy_into(int from, const char *to, struct mkrootfs_error *error)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), status = 0;

	if (fd < 0)
		return error_set_errno(error, errno, "make '%s'", to);
	if ((file_share(from, fd) < 0 && file_copy_bytes(from, fd) < 0) || fsync(fd) < 0)
		status = error_set_errno(error, errno, "write '%s'", to);
	close(fd);
	if (status < 0)
		unlink(to);
	return status;
}

int file_copy(const char *from, const char *to, struct mkrootfs_error *error)
{
	int fd, status = regular_file_open(&fd, from, error);

	if (status < 0)
		return status;
	status = copy_into(fd, to, error);
	close(fd);
	return status;
}

int file_link_or_copy(const char *from, const char *to, struct mkrootfs_error *error)
{
	if (link(from, to) == 0)
		return 0;
	if (errno == ENOENT || errno == EEXIST || errno == ENOSPC)
		return error_set_errno(error, errno, "link '%s' to '%s'", from, to);
	return file_copy(from, to, error);
}
