/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the time of one layer goes. The streams of layer_stream.h lie one in the other, so clocks
 * between them tell sums, and differences tell the parts.
 *
 *	struct layer_clocks clocks = { 0 };
 *	... clocks.packed etc. are filled while the layer is converted
 *	layer_times_take(&times, &clocks);
 */
#ifndef MKROOTFS_ROOTFS_LAYER_TIMES_H
#define MKROOTFS_ROOTFS_LAYER_TIMES_H

#include <mkrootfs.h>

/* Nanoseconds that who reads the stream spent in it, down to that point. */
struct layer_clocks {
	uint64_t received; /* the blob as it comes */
	uint64_t checked;  /* and hashed */
	uint64_t arrived;  /* as it comes to the unpacking: through a ring, or straight */
	uint64_t unpacked;
	uint64_t ready;		 /* as it comes to the hashing of the tar */
	uint64_t hashed;	 /* the tar, as its reader gets it */
	uint64_t whole;		 /* of the conversion, the metadata included */
	uint64_t sync;		 /* the commit */
	_Atomic uint64_t waited; /* of one thread for another */
};

void layer_times_take(struct mkrootfs_layer_times *times, const struct layer_clocks *clocks);

#endif
