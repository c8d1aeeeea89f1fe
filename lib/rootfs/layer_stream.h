/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The streams of a layer: blob -> verify digest and size | decompress -> caps | tell progress ->
 * verify diff ID. Where a bar stands another thread may be ahead.
 */
#ifndef MKROOTFS_ROOTFS_LAYER_STREAM_H
#define MKROOTFS_ROOTFS_LAYER_STREAM_H

#include "layer.h"

/*
 * Takes blob in any case. diff_id, which must outlive the stream, takes the digest of the tar at
 * the stream's end; the stream fails there unless all is as expected.
 */
int layer_stream_open(struct source **out, struct digest *diff_id, struct source *blob,
		      const struct layer_options *options, struct mkrootfs_error *error);

/* The first part alone, for who has another thread take what comes: see is_received. */
int layer_stream_receive(struct source **stream, const struct layer_options *options,
			 struct mkrootfs_error *error);

#endif
