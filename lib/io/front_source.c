/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <stdlib.h>

struct front_source {
	struct source source;
	struct buf front;
	bool lent;
	struct source *rest;
};

static int front_next(struct source *source, const uint8_t **data, size_t *len,
		      struct mkrootfs_error *error)
{
	struct front_source *front = (struct front_source *)source;

	if (front->lent || front->front.len == 0)
		return source_next(front->rest, data, len, error);
	front->lent = true;
	*data = front->front.data;
	*len = front->front.len;
	return 0;
}

static void front_close(struct source *source)
{
	struct front_source *front = (struct front_source *)source;

	source_close(front->rest);
	buf_free(&front->front);
	free(front);
}

static const struct source_ops front_ops = { .next = front_next, .close = front_close };

int source_front(struct source **out, struct source *rest, size_t size,
		 struct mkrootfs_error *error)
{
	struct front_source *front = calloc(1, sizeof(*front));
	const uint8_t *data;
	size_t len;
	int status = front ? 0 : error_no_memory(error);

	*out = NULL;
	if (status < 0)
		return status;
	source_init_passing(&front->source, &front_ops, rest);
	front->front = BUF_INIT(SIZE_MAX / 2);
	front->rest = rest;
	do {
		status = source_next(rest, &data, &len, error);
		if (status == 0)
			status = buf_append(&front->front, data, len, error);
	} while (status == 0 && len > 0 && front->front.len < size);
	if (status == MKROOTFS_ERROR_NO_MEMORY && !rest->failed) {
		buf_free(&front->front);
		free(front);
		return status;
	}
	*out = &front->source; /* which repeats a failure of rest when it comes to it */
	return 0;
}
