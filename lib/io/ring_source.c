/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"
#include "source.h"

#include <stdlib.h>

struct ring_source {
	struct source source;
	struct ring *ring;
};

static int ring_next(struct source *source, const uint8_t **data, size_t *len,
		     struct mkrootfs_error *error)
{
	return ring_take(((struct ring_source *)source)->ring, data, len, error);
}

static void ring_close(struct source *source)
{
	ring_leave(((struct ring_source *)source)->ring);
	free(source);
}

static const struct source_ops ring_ops = { .next = ring_next, .close = ring_close };

int source_ring(struct source **out, struct ring *ring, struct mkrootfs_error *error)
{
	struct ring_source *source = malloc(sizeof(*source));

	*out = NULL;
	if (!source)
		return error_no_memory(error);
	source_init(&source->source, &ring_ops);
	source->ring = ring;
	*out = &source->source;
	return 0;
}
