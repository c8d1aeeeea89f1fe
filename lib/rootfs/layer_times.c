/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_times.h"

void layer_times_take(struct mkrootfs_layer_times *times, const struct layer_clocks *clocks)
{
	*times = (struct mkrootfs_layer_times){
		.receive = clocks->received,
		.hash = clocks->checked - clocks->received + clocks->hashed - clocks->ready,
		.unpack = clocks->unpacked - clocks->arrived,
		.write = clocks->whole - clocks->hashed,
		.sync = clocks->sync,
		.wait = clocks->waited,
		.total = clocks->whole + clocks->sync,
	};
}
