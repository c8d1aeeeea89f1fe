/* SPDX-License-Identifier: Apache-2.0 */
#include "regular_file.h"
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_CHUNK (256u << 10) /* bytes of one read */
#define SMALL_CHUNK 4096u	/* the least: some files do not tell their size */

struct file_source {
	struct source source;
	int fd;
	char *name;  /* for messages: the path, or the number of the descriptor */
	size_t size; /* of the chunk */
	uint8_t chunk[];
};

/* A pipe that somebody made non-blocking is no error: wait for it. */
static bool may_retry(int fd, int os_errno)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	if (os_errno != EAGAIN)
		return os_errno == EINTR;
	return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

static int file_next(struct source *source, const uint8_t **data, size_t *len,
		     struct mkrootfs_error *error)
{
	struct file_source *file = (struct file_source *)source;
	uint8_t *to = source->room ? source->room : file->chunk;
	size_t size = source->room ? source->room_size : file->size;
	ssize_t got;

	do
		got = read(file->fd, to, size);
	while (got < 0 && may_retry(file->fd, errno));
	if (got < 0)
		return error_set_errno(error, errno, "read %s", file->name);
	*data = to;
	*len = (size_t)got;
	return 0;
}

static void file_close(struct source *source)
{
	struct file_source *file = (struct file_source *)source;

	close(file->fd);
	free(file->name);
	free(file);
}

static const struct source_ops file_ops = { .next = file_next, .close = file_close };

/* A small file is read at once, with a byte to spare, so that it may have become longer. */
static size_t chunk_for(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size >= FILE_CHUNK)
		return FILE_CHUNK;
	return st.st_size < SMALL_CHUNK ? SMALL_CHUNK : (size_t)st.st_size + 1;
}

/* Takes fd and name on success only. */
static int file_create(struct source **out, int fd, char *name, struct mkrootfs_error *error)
{
	size_t size = chunk_for(fd);
	struct file_source *file = malloc(sizeof(*file) + size);

	*out = NULL;
	if (!file || !name) {
		free(file);
		return error_no_memory(error);
	}
	source_init(&file->source, &file_ops);
	file->fd = fd;
	file->name = name;
	file->size = size;
#ifdef POSIX_FADV_SEQUENTIAL
	if (size == FILE_CHUNK)
		posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
	*out = &file->source;
	return 0;
}

static char *quoted(const char *path)
{
	size_t size = strlen(path) + 3;
	char *name = malloc(size);

	if (name)
		snprintf(name, size, "'%s'", path);
	return name;
}

int source_file(struct source **out, const char *path, struct mkrootfs_error *error)
{
	char *name;
	int fd, status = regular_file_open(&fd, path, error);

	*out = NULL;
	if (status < 0)
		return status;
	name = quoted(path);
	status = file_create(out, fd, name, error);
	if (status < 0) {
		free(name);
		close(fd);
	}
	return status;
}

int source_fd(struct source **out, int fd, struct mkrootfs_error *error)
{
	const size_t size = sizeof("file descriptor ") + 3 * sizeof(fd);
	char *name = malloc(size);
	int status;

	if (name)
		snprintf(name, size, "file descriptor %d", fd);
	status = file_create(out, fd, name, error);
	if (status < 0)
		free(name);
	return status;
}
