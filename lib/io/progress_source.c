/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <stdlib.h>

#define PROGRESS_STEP (64u << 10) /* bytes of the meter between two reports */

struct progress_source {
	struct source source;
	struct source *inner;
	const struct source *meter; /* which inner holds */
	source_progress_fn progress;
	void *user;
	uint64_t reported; /* the value of the last report */
};

static int progress_next(struct source *source, const uint8_t **data, size_t *len,
			 struct mkrootfs_error *error)
{
	struct progress_source *progress = (struct progress_source *)source;
	int status = source_next(progress->inner, data, len, error);
	uint64_t done = source_meter_done(progress->meter);

	if (status < 0 || (*len > 0 && done - progress->reported < PROGRESS_STEP))
		return status;
	progress->reported = done;
	if (progress->progress(progress->user, done))
		return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
	return 0;
}

static void progress_close(struct source *source)
{
	source_close(((struct progress_source *)source)->inner);
	free(source);
}

static const struct source_ops progress_ops = { .next = progress_next, .close = progress_close };

int source_progress(struct source **out, struct source *inner, const struct source *meter,
		    source_progress_fn progress, void *user, struct mkrootfs_error *error)
{
	struct progress_source *source = calloc(1, sizeof(*source));

	*out = NULL;
	if (!source)
		return error_no_memory(error);
	source_init_passing(&source->source, &progress_ops, inner);
	source->inner = inner;
	source->meter = meter;
	source->progress = progress;
	source->user = user;
	*out = &source->source;
	return 0;
}
