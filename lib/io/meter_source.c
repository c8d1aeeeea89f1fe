/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <inttypes.h>
#include <stdlib.h>

#define METER_STEP (64u << 10) /* bytes between two reports */

struct meter_source {
	struct source source;
	struct source *inner;
	uint64_t cap;
	const char *what; /* static, as the caller's text says */
	source_progress_fn progress;
	void *user;
	_Atomic uint64_t passed; /* done, for other threads */
	uint64_t done;		 /* bytes that passed */
	uint64_t reported;	 /* the value of the last report */
};

static int report(struct meter_source *meter, struct mkrootfs_error *error)
{
	meter->reported = meter->done;
	if (meter->progress && meter->progress(meter->user, meter->done))
		return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
	return 0;
}

static int meter_next(struct source *source, const uint8_t **data, size_t *len,
		      struct mkrootfs_error *error)
{
	struct meter_source *meter = (struct meter_source *)source;
	int status = source_next(meter->inner, data, len, error);

	if (status < 0)
		return status;
	if (*len > meter->cap - meter->done)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "%s has more than the allowed %" PRIu64 " bytes", meter->what,
				 meter->cap);
	meter->done += *len;
	atomic_store_explicit(&meter->passed, meter->done, memory_order_relaxed);
	if (*len == 0 || meter->done - meter->reported >= METER_STEP)
		return report(meter, error);
	return 0;
}

static void meter_close(struct source *source)
{
	source_close(((struct meter_source *)source)->inner);
	free(source);
}

uint64_t source_meter_done(const struct source *meter)
{
	const struct meter_source *source = (const struct meter_source *)meter;

	return atomic_load_explicit(&source->passed, memory_order_relaxed);
}

static const struct source_ops meter_ops = { .next = meter_next, .close = meter_close };

int source_meter(struct source **out, struct source *inner, uint64_t cap, const char *what,
		 source_progress_fn progress, void *user, struct mkrootfs_error *error)
{
	struct meter_source *meter = calloc(1, sizeof(*meter));

	*out = NULL;
	if (!meter)
		return error_no_memory(error);
	source_init_passing(&meter->source, &meter_ops, inner);
	meter->inner = inner;
	meter->cap = cap;
	meter->what = what;
	meter->progress = progress;
	meter->user = user;
	*out = &meter->source;
	return 0;
}
