/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <errno.h>
#include <stdlib.h>

#define CALLBACK_CHUNK (256u << 10) /* bytes asked for in one call */

struct callback_source {
	struct source source;
	mkrootfs_read_fn read;
	void *user;
	uint8_t chunk[CALLBACK_CHUNK];
};

static int refuse(int64_t got, int os_errno, struct mkrootfs_error *error)
{
	if (got >= 0)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "the read function returned more bytes than it was asked for");
	if (os_errno == ECANCELED)
		return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled by the read function");
	if (os_errno == 0)
		return error_set(error, MKROOTFS_ERROR_IO, "the read function failed");
	return error_set_errno(error, os_errno, "the read function failed");
}

static int callback_next(struct source *source, const uint8_t **data, size_t *len,
			 struct mkrootfs_error *error)
{
	struct callback_source *callback = (struct callback_source *)source;
	int64_t got;

	do {
		errno = 0;
		got = callback->read(callback->user, callback->chunk, sizeof(callback->chunk));
	} while (got < 0 && errno == EINTR);
	if (got < 0 || (uint64_t)got > sizeof(callback->chunk))
		return refuse(got, errno, error);
	*data = callback->chunk;
	*len = (size_t)got;
	return 0;
}

static void callback_close(struct source *source)
{
	free(source);
}

static const struct source_ops callback_ops = { .next = callback_next, .close = callback_close };

int source_callback(struct source **out, mkrootfs_read_fn read, void *user,
		    struct mkrootfs_error *error)
{
	struct callback_source *callback = malloc(sizeof(*callback));

	*out = NULL;
	if (!callback)
		return error_no_memory(error);
	source_init(&callback->source, &callback_ops);
	callback->read = read;
	callback->user = user;
	*out = &callback->source;
	return 0;
}
