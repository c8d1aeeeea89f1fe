/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define PIPE_CHUNK (256u << 10) /* bytes of one read */
#define PIPE_PATIENCE 200	/* milliseconds between two chances to cancel */

struct pipe_source {
	struct source source;
	int fd;
	int (*wait)(void *user);
	void *user;
	uint8_t chunk[PIPE_CHUNK];
};

/* Until there is something to read, or the end. What cannot be polled is read at once. */
static int wait_for_bytes(struct pipe_source *pipe, struct mkrootfs_error *error)
{
	struct pollfd ready = { .fd = pipe->fd, .events = POLLIN };
	int count;

	while ((count = poll(&ready, 1, PIPE_PATIENCE)) <= 0) {
		if (count < 0 && errno != EINTR)
			return error_set_errno(error, errno, "wait for input");
		if (pipe->wait && pipe->wait(pipe->user))
			return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
	}
	return 0;
}

static int pipe_next(struct source *source, const uint8_t **data, size_t *len,
		     struct mkrootfs_error *error)
{
	struct pipe_source *pipe = (struct pipe_source *)source;
	ssize_t got;

	do {
		if (wait_for_bytes(pipe, error) < 0)
			return error->status;
		got = read(pipe->fd, pipe->chunk, sizeof(pipe->chunk));
	} while (got < 0 && (errno == EINTR || errno == EAGAIN));
	if (got < 0)
		return error_set_errno(error, errno, "read the input");
	*data = pipe->chunk;
	*len = (size_t)got;
	return 0;
}

static void pipe_close(struct source *source)
{
	close(((struct pipe_source *)source)->fd);
	free(source);
}

static const struct source_ops pipe_ops = { .next = pipe_next, .close = pipe_close };

int source_pipe(struct source **out, int fd, int (*wait)(void *user), void *user,
		struct mkrootfs_error *error)
{
	struct pipe_source *pipe = malloc(sizeof(*pipe));

	*out = NULL;
	if (!pipe)
		return error_no_memory(error);
	source_init(&pipe->source, &pipe_ops);
	pipe->fd = fd;
	pipe->wait = wait;
	pipe->user = user;
	*out = &pipe->source;
	return 0;
}
