/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Push streams: where bytes go, in their order.
 *
 *	struct callback_sink out;
 *	sink_callback(&out, write, user);
 *	sink_write(&out.sink, data, len, error);
 *
 * A sink belongs to who made it; who writes borrows it.
 */
#ifndef MKROOTFS_IO_SINK_H
#define MKROOTFS_IO_SINK_H

#include "../base/error.h"

/* First member of every kind of sink. */
struct sink {
	/* Takes all of len bytes, at least 1, or fails. */
	int (*write)(struct sink *sink, const void *data, size_t len, struct mkrootfs_error *error);
};

static inline int sink_write(struct sink *sink, const void *data, size_t len,
			     struct mkrootfs_error *error)
{
	return len ? sink->write(sink, data, len, error) : 0;
}

/* A caller's write function. ECANCELED becomes MKROOTFS_ERROR_CANCELLED. */
struct callback_sink {
	struct sink sink;
	mkrootfs_write_fn write;
	void *user;
};
void sink_callback(struct callback_sink *out, mkrootfs_write_fn write, void *user);

#endif
