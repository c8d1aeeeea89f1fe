/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_times.h"

/* What was read before its clock was there, as the first bytes for the look at them, is in one
 * only. */
static uint64_t less(uint64_t sum, uint64_t part)
{
	return sum > part ? sum - part : 0;
}

void layer_times_take(struct mkrootfs_layer_times *times, const struct layer_clocks *clocks)
{
	*times = (struct mkrootfs_layer_times){
		.receive = clocks->received,
		.hash = less(clocks->checked, clocks->received) +
			less(clocks->hashed, clocks->ready),
		.unpack = less(clocks->unpacked, clocks->arrived),
		.write = less(clocks->whole, clocks->hashed),
		.sync = clocks->sync,
		.wait = clocks->waited,
		.total = clocks->whole + clocks->sync,
	};
}
