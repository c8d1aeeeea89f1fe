/* SPDX-License-Identifier: Apache-2.0 */
#include "raw_file.h"

#include "file_range.h"
#include "file_sync.h"
#include "sync_ahead.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEHIND_STEP (8u << 20) /* bytes between two starts of write-behind */
#define SYNC_STEP (32u << 20)  /* bytes between two syncs of a file that is still written */

/* Bytes of a device; its file position, which is the caller's, stays. -1 with errno. */
static off_t device_size(int fd)
{
	off_t here = lseek(fd, 0, SEEK_CUR);
	off_t size = here < 0 ? -1 : lseek(fd, 0, SEEK_END);

	if (size >= 0 && lseek(fd, here, SEEK_SET) < 0)
		return -1;
	return size;
}

static int examine(struct raw_file *file, struct mkrootfs_error *error)
{
	struct stat status;
	off_t size;
	int flags = fcntl(file->fd, F_GETFL);

	if (flags < 0 || fstat(file->fd, &status) < 0)
		return error_set_errno(error, errno, "%s", file->name);
	if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "%s is neither a regular file nor a block device", file->name);
	/* Linux appends to such a file whatever the offset. */
	if ((flags & O_APPEND) || (flags & O_ACCMODE) != O_RDWR)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "%s must be open for reading and writing, not for appending",
				 file->name);
	file->size_max = INT64_MAX;
	file->device = S_ISBLK(status.st_mode);
	if (!file->device)
		return 0;
	size = device_size(file->fd);
	if (size < 0)
		return error_set_errno(error, errno, "size of %s", file->name);
	file->size_max = (uint64_t)size;
	return 0;
}

int raw_file_init(struct raw_file *file, int fd, struct mkrootfs_error *error, const char *format,
		  ...)
{
	va_list arguments;
	int status;

	memset(file, 0, sizeof(*file));
	file->fd = fd;
	va_start(arguments, format);
	status = vasprintf(&file->name, format, arguments);
	va_end(arguments);
	if (status < 0) {
		file->name = NULL;
		return error_no_memory(error);
	}
	status = examine(file, error);
	if (status < 0)
		raw_file_free(file);
	return status;
}

void raw_file_free(struct raw_file *file)
{
	sync_ahead_stop(file->ahead);
	file->ahead = NULL;
	range_copy_free(&file->copy);
	free(file->name);
	file->name = NULL;
}

int raw_file_check(const struct raw_file *file, uint64_t offset, uint64_t len,
		   struct mkrootfs_error *error)
{
	if (offset <= file->size_max && len <= file->size_max - offset)
		return 0;
	return error_set_errno(error, file->device ? ENOSPC : EFBIG,
			       "%" PRIu64 " bytes at offset %" PRIu64 " of %s", len, offset,
			       file->name);
}

/* What a device held before must not show through where nothing is written. */
static int fill_device(struct raw_file *file, uint64_t until, struct mkrootfs_error *error)
{
	if (!file->device || until <= file->filled)
		return 0;
	if (file_range_zero(file->fd, file->filled, until - file->filled) < 0)
		return error_set_errno(error, errno, "zero %s", file->name);
	file->filled = until;
	return 0;
}

static void sync_early(struct raw_file *file, uint64_t len)
{
	file->unsynced += len;
	if (!file->sync_early || file->unsynced < SYNC_STEP)
		return;
	file->unsynced = 0;
	if (!file->ahead)
		sync_ahead_start(&file->ahead, file->fd);
	if (file->ahead)
		sync_ahead_tell(file->ahead);
}

/* Only behind adjacent writes: a few blocks strewn over a sparse file are left to the commit. */
static void start_write_behind(struct raw_file *file, uint64_t offset, uint64_t end)
{
	if (offset != file->run_end)
		file->behind = offset;
	file->run_end = end;
	if (end < file->behind + BEHIND_STEP)
		return;
	file_write_behind(file->fd, file->behind, end - file->behind);
	sync_early(file, end - file->behind);
	file->behind = end;
}

int raw_file_write(struct raw_file *file, uint64_t offset, const void *data, size_t len,
		   struct mkrootfs_error *error)
{
	int status = fill_device(file, offset, error);

	if (status < 0)
		return status;
	if (file_range_write(file->fd, offset, data, len) < 0)
		return error_set_errno(error, errno, "write to %s", file->name);
	if (file->filled < offset + len)
		file->filled = offset + len;
	start_write_behind(file, offset, offset + len);
	return 0;
}

int raw_file_copy(struct raw_file *file, uint64_t offset, int from, uint64_t from_offset,
		  uint64_t len, struct mkrootfs_error *error)
{
	/* On a device the holes have to be zeroed, too. */
	int status = fill_device(file, offset + len, error);

	if (status < 0)
		return status;
	if (range_copy(&file->copy, file->fd, offset, from, from_offset, len) < 0)
		return error_set_errno(error, errno,
				       file->copy.read_failed ? "read what goes to %s"
							      : "write to %s",
				       file->name);
	if (file->filled < offset + len)
		file->filled = offset + len;
	start_write_behind(file, offset, offset + len);
	return 0;
}

int raw_file_read(const struct raw_file *file, uint64_t offset, void *data, size_t len,
		  struct mkrootfs_error *error)
{
	size_t got;

	if (file_range_read(file->fd, offset, data, len, &got) == 0)
		return 0;
	return error_set_errno(error, errno, "read %zu bytes at offset %" PRIu64 " of %s", len,
			       offset, file->name);
}

int raw_file_resize(struct raw_file *file, uint64_t size, struct mkrootfs_error *error)
{
	if (file->device)
		return fill_device(file, size, error);
	if (ftruncate(file->fd, (off_t)size) < 0)
		return error_set_errno(error, errno, "resize %s", file->name);
	file->filled = size;
	return 0;
}

int raw_file_sync(struct raw_file *file, struct mkrootfs_error *error)
{
	int os_errno = sync_ahead_stop(file->ahead);

	file->ahead = NULL;
	if (os_errno != 0)
		return error_set_errno(error, os_errno, "sync %s", file->name);
	if (file_sync(file->fd) < 0)
		return error_set_errno(error, errno, "sync %s", file->name);
	return 0;
}
