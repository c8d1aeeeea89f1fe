/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <stdlib.h>

struct tail_source {
	struct source source;
	struct source *inner;
	uint64_t left; /* bytes still to be passed over */
};

static int tail_next(struct source *source, const uint8_t **data, size_t *len,
		     struct mkrootfs_error *error)
{
	struct tail_source *tail = (struct tail_source *)source;
	size_t pass;
	int status;

	do {
		status = source_next(tail->inner, data, len, error);
		if (status < 0 || *len == 0)
			return status;
		pass = *len < tail->left ? *len : (size_t)tail->left;
		tail->left -= pass;
		*data += pass;
		*len -= pass;
	} while (*len == 0);
	return 0;
}

static void tail_close(struct source *source)
{
	source_close(((struct tail_source *)source)->inner);
	free(source);
}

static uint64_t tail_dropped(const struct source *source)
{
	return source_dropped(((const struct tail_source *)source)->inner);
}

static const struct source_ops tail_ops = { .next = tail_next,
					    .close = tail_close,
					    .dropped = tail_dropped };

int source_tail(struct source **out, struct source *inner, uint64_t offset,
		struct mkrootfs_error *error)
{
	struct tail_source *tail = malloc(sizeof(*tail));

	*out = NULL;
	if (!tail)
		return error_no_memory(error);
	source_init(&tail->source, &tail_ops);
	tail->inner = inner;
	tail->left = offset;
	*out = &tail->source;
	return 0;
}
