/* SPDX-License-Identifier: Apache-2.0 */
#include "sink.h"

#include <errno.h>

/* Not tried again after EINTR: nobody knows how much was taken. */
static int callback_write(struct sink *sink, const void *data, size_t len,
			  struct mkrootfs_error *error)
{
	struct callback_sink *callback = (struct callback_sink *)sink;

	errno = 0;
	if (callback->write(callback->user, data, len) == 0)
		return 0;
	if (errno == ECANCELED)
		return error_set(error, MKROOTFS_ERROR_CANCELLED,
				 "cancelled by the write function");
	if (errno == 0)
		return error_set(error, MKROOTFS_ERROR_IO, "the write function failed");
	return error_set_errno(error, errno, "the write function failed");
}

void sink_callback(struct callback_sink *out, mkrootfs_write_fn write, void *user)
{
	*out = (struct callback_sink){ .sink = { callback_write }, .write = write, .user = user };
}
