/* SPDX-License-Identifier: Apache-2.0 */
#include "limits.h"

struct mkrootfs_limits limits_or_defaults(const struct mkrootfs_limits *limits)
{
	struct mkrootfs_limits out = *limits;

	if (out.entries == 0)
		out.entries = UINT64_C(1) << 24;
	if (out.unpacked_size == 0)
		out.unpacked_size = UINT64_C(1) << 40;
	if (out.path_depth == 0)
		out.path_depth = 1024;
	if (out.xattr_bytes == 0)
		out.xattr_bytes = 1u << 20;
	if (out.layers == 0)
		out.layers = 1024;
	if (out.ratio == 0)
		out.ratio = 2000;
	return out;
}

static int keep_on(void *user, uint64_t done)
{
	(void)done;
	return events_wait(user);
}

struct source_unpacking limits_unpacking(const struct mkrootfs_limits *limits, const char *what,
					 struct events *events)
{
	return (struct source_unpacking){ .what = what,
					  .max_size = limits->unpacked_size,
					  .ratio = limits->ratio,
					  .ratio_free = LIMITS_RATIO_FREE,
					  .progress = keep_on,
					  .user = events };
}
