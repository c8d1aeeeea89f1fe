/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer whose bytes only the calling thread may read, since they come from a caller's function,
 * or because there is no other work for it: it reads and hashes the blob, while a worker converts
 * it with the help of its stages.
 *
 *	layer_pump_convert(file, &diff_id, blob, &options, threads, error);
 *
 * Callbacks, those of the blob and those about events, come on the calling thread. A short blob,
 * or one for which there is but one processor, is that thread's work alone.
 */
#ifndef MKROOTFS_ROOTFS_LAYER_PUMP_H
#define MKROOTFS_ROOTFS_LAYER_PUMP_H

#include "layer.h"

/* As layer_convert; threads: how many may be busy at once, 0: the default. */
int layer_pump_convert(struct image_file *file, struct digest *diff_id, struct source *blob,
		       const struct layer_options *options, unsigned threads,
		       struct mkrootfs_error *error);

#endif
