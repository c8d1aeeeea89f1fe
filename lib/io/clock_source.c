/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "source.h"

#include <stdlib.h>

struct clock_source {
	struct source source;
	struct source *inner;
	uint64_t *spent;
};

static int clock_next(struct source *source, const uint8_t **data, size_t *len,
		      struct mkrootfs_error *error)
{
	struct clock_source *clock = (struct clock_source *)source;
	uint64_t start = clock_nanoseconds();
	int status = source_next(clock->inner, data, len, error);

	*clock->spent += clock_nanoseconds() - start;
	return status;
}

static void clock_close(struct source *source)
{
	source_close(((struct clock_source *)source)->inner);
	free(source);
}

static const struct source_ops clock_ops = { .next = clock_next, .close = clock_close };

int source_clock(struct source **out, struct source *inner, uint64_t *spent,
		 struct mkrootfs_error *error)
{
	struct clock_source *clock = calloc(1, sizeof(*clock));

	*out = NULL;
	if (!clock)
		return error_no_memory(error);
	source_init_passing(&clock->source, &clock_ops, inner);
	clock->inner = inner;
	clock->spent = spent;
	*out = &clock->source;
	return 0;
}
