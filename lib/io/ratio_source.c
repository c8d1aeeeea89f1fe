/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <inttypes.h>
#include <stdlib.h>

struct ratio_source {
	struct source source;
	struct source *inner;
	struct source_ratio rule;
	uint64_t done; /* unpacked bytes that passed */
};

static int ratio_next(struct source *source, const uint8_t **data, size_t *len,
		      struct mkrootfs_error *error)
{
	struct ratio_source *ratio = (struct ratio_source *)source;
	int status = source_next(ratio->inner, data, len, error);
	uint64_t packed;

	if (status < 0)
		return status;
	ratio->done += *len;
	packed = source_meter_done(ratio->rule.packed);
	/* A division, since the product may not fit. */
	if (ratio->done <= ratio->rule.free || ratio->done / ratio->rule.ratio < packed ||
	    (ratio->done / ratio->rule.ratio == packed && ratio->done % ratio->rule.ratio == 0))
		return 0;
	return error_set(error, MKROOTFS_ERROR_LIMIT,
			 "%s: %" PRIu64 " bytes out of %" PRIu64 ", the limit is %u out of each",
			 ratio->rule.what, ratio->done, packed, ratio->rule.ratio);
}

static void ratio_close(struct source *source)
{
	source_close(((struct ratio_source *)source)->inner);
	free(source);
}

static const struct source_ops ratio_ops = { .next = ratio_next, .close = ratio_close };

int source_ratio(struct source **out, struct source *inner, const struct source_ratio *rule,
		 struct mkrootfs_error *error)
{
	struct ratio_source *ratio = calloc(1, sizeof(*ratio));

	*out = NULL;
	if (!ratio)
		return error_no_memory(error);
	source_init_passing(&ratio->source, &ratio_ops, inner);
	ratio->inner = inner;
	ratio->rule = *rule;
	*out = &ratio->source;
	return 0;
}
