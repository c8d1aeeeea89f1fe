/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

/* Puts a wrapper in the place of what it wraps, or closes that. */
static int wrap(struct source **stream, struct source *wrapper, int status)
{
	if (status < 0)
		source_close(*stream);
	*stream = status < 0 ? NULL : wrapper;
	return status;
}

int source_unpack(struct source **out, struct source *packed, const struct source_unpacking *rule,
		  struct mkrootfs_error *error)
{
	struct source_ratio ratio = { .ratio = rule->ratio,
				      .free = rule->ratio_free,
				      .what = rule->what };
	struct source *wrapper = NULL;
	int status = source_meter(&wrapper, packed, UINT64_MAX, rule->what, rule->progress,
				  rule->user, error);

	*out = packed;
	ratio.packed = wrapper;
	status = wrap(out, wrapper, status);
	if (status == 0) {
		status = source_decompress(&wrapper, NULL, *out, error);
		status = wrap(out, wrapper, status);
	}
	if (status == 0) {
		status = source_meter(&wrapper, *out, rule->max_size, rule->what, rule->progress,
				      rule->user, error);
		status = wrap(out, wrapper, status);
	}
	if (status == 0) {
		status = source_ratio(&wrapper, *out, &ratio, error);
		status = wrap(out, wrapper, status);
	}
	return status;
}
