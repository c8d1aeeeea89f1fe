/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_file.h"

#include "../io/file_range.h"
#include "../io/sniff.h"
#include "../io/temp_file.h"
#include "limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Opening ---- */

/* Not blocking: a fifo whose writer is late is waited for by who reads it, and can be cancelled. */
static int open_fd(const struct reference *reference, struct mkrootfs_error *error)
{
	bool stdin_is_meant = reference_is_stdin(reference);
	int fd = stdin_is_meant
			 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
			 : open(reference->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return error_set_errno(error, errno,
				       stdin_is_meant ? "read standard input" : "open the file");
	return fd;
}

static int describe(struct archive_file *file, struct mkrootfs_error *error)
{
	struct stat st;

	if (fstat(file->fd, &st) < 0)
		return error_set_errno(error, errno, "stat the file");
	if (S_ISDIR(st.st_mode))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "it is a folder; an image in one is written oci:DIR or dir:DIR");
	if (isatty(file->fd))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "it is a terminal: lead an archive there by '<' or '|'");
	file->regular = S_ISREG(st.st_mode) && lseek(file->fd, 0, SEEK_CUR) == 0;
	file->size = file->regular ? (uint64_t)st.st_size : 0;
	return 0;
}

int archive_file_open(struct archive_file *out, const struct reference *reference,
		      struct mkrootfs_error *error)
{
	*out = (struct archive_file){ .fd = open_fd(reference, error) };
	if (out->fd >= 0 && describe(out, error) == 0)
		return 0;
	archive_file_close(out);
	return error->status;
}

void archive_file_close(struct archive_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

int archive_file_source(struct source **out, struct archive_file *file, struct events *events,
			struct mkrootfs_error *error)
{
	int status = file->regular ? source_fd(out, file->fd, error)
				   : source_pipe(out, file->fd, events_wait, events, error);

	if (status == 0)
		file->fd = -1;
	return status;
}

/* ---- Random access ---- */

bool archive_file_must_spool(const struct archive_file *file)
{
	uint8_t head[SNIFF_MAX];
	const char *name;
	size_t len;

	if (!file->regular)
		return true;
	if (file_range_read(file->fd, 0, head, sizeof(head), &len) < 0 && len == 0)
		return false; /* empty, or unreadable: who reads it says so */
	return sniff(head, len, true, &name) != SNIFF_PLAIN;
}

static int copy(int fd, struct source *source, struct mkrootfs_error *error)
{
	uint64_t offset = 0;
	const uint8_t *data;
	size_t len;
	int status;

	while ((status = source_next(source, &data, &len, error)) == 0 && len > 0) {
		if (file_range_write(fd, offset, data, len) < 0)
			return error_set_errno(error, errno,
					       "write the archive to a temporary file");
		offset += len;
	}
	return status;
}

static int open_stream(struct source **out, struct archive_file *file,
		       const struct mkrootfs_limits *limits, struct events *events,
		       struct mkrootfs_error *error)
{
	const struct source_unpacking rule = limits_unpacking(
		limits, "the unpacked archive (limits.unpacked_size, limits.ratio)", events);
	struct source *raw;
	int status = archive_file_source(&raw, file, events, error);

	*out = NULL;
	return status < 0 ? status : source_unpack(out, raw, &rule, error);
}

/* The file has no name, or loses it at once: a crash leaves nothing. */
static int open_unnamed(int *fd, const char *folder, struct mkrootfs_error *error)
{
	struct temp_file temp;

	if (temp_file_open(&temp, folder, false, error) < 0)
		return error->status;
	if (temp.path)
		unlink(temp.path);
	free(temp.path);
	*fd = temp.fd;
	return 0;
}

static int spool(int *fd, struct archive_file *file, const char *folder,
		 const struct mkrootfs_limits *limits, struct events *events,
		 struct mkrootfs_error *error)
{
	struct source *source;
	int status = open_stream(&source, file, limits, events, error);

	if (status < 0)
		return status;
	status = open_unnamed(fd, folder, error);
	if (status == 0 && (status = copy(*fd, source, error)) < 0)
		close(*fd);
	source_close(source);
	return status;
}

int archive_file_settle(int *fd, struct archive_file *file, const char *folder,
			const struct mkrootfs_limits *limits, struct events *events,
			struct mkrootfs_error *error)
{
	if (archive_file_must_spool(file)) {
		int status = spool(fd, file, folder, limits, events, error);

		if (status < 0)
			*fd = -1;
		return status;
	}
	*fd = file->fd;
	file->fd = -1;
	return 0;
}
