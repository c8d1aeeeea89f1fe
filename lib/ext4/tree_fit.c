/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_fit.h"

#include <inttypes.h>

#define MIB (UINT64_C(1) << 20)

/* Whether there is room in a filesystem of these options; *layout is its layout then. */
static int try_layout(bool *fits, struct ext4_layout *layout, struct ext4_plan *plan,
		      const struct ext4_options *options, struct mkrootfs_error *error)
{
	int status = ext4_layout_plan(layout, options, error);

	*fits = false;
	if (status < 0)
		return status;
	if ((uint64_t)layout->groups * layout->inodes_per_group < ext4_plan_inodes(plan))
		return 0;
	status = ext4_plan_place(plan, layout, error);
	*fits = !plan->full;
	return status;
}

/* Sizes that do not work for other reasons count as too small. */
static bool fits_size(struct ext4_plan *plan, struct ext4_options options, uint64_t size)
{
	struct ext4_layout layout;
	struct mkrootfs_error ignored;
	bool fits;

	options.size = size;
	return try_layout(&fits, &layout, plan, &options, &ignored) == 0 && fits;
}

static int too_small(struct ext4_plan *plan, const struct ext4_options *options,
		     struct mkrootfs_error *error)
{
	uint64_t low = options->size / MIB, high = low ? low : 1;

	while (!fits_size(plan, *options, high * MIB)) {
		low = high;
		high *= 2;
		if (high * MIB > EXT4_MAX_SIZE)
			return error_set(error, MKROOTFS_ERROR_INVALID,
					 "too much for the largest filesystem");
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (fits_size(plan, *options, middle * MIB))
			high = middle;
		else
			low = middle;
	}
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "a size of %" PRIu64 " bytes is too small for what it has to hold: the "
			 "least size is %" PRIu64 " MiB",
			 options->size, high);
}

int ext4_fit(struct ext4_layout *layout, struct ext4_plan *plan, const struct ext4_options *options,
	     struct mkrootfs_error *error)
{
	bool fits;
	int status = try_layout(&fits, layout, plan, options, error);

	return status == 0 && !fits ? too_small(plan, options, error) : status;
}
