/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blob of one layer: what an earlier run kept of it, then what its sources give.
 *
 *	layer_blob_begin(&b, &request, error);
 *	do {
 *		layer_blob_open(&b, &source, error);
 *		status = convert(source, &b.seen, error);
 *	} while (status < 0 && layer_blob_again(&b, error));
 *	layer_blob_end(&b, status);
 */
#ifndef MKROOTFS_ROOTFS_LAYER_BLOB_H
#define MKROOTFS_ROOTFS_LAYER_BLOB_H

#include "../store/partial.h"
#include "layer_cache.h"

struct layer_blob {
	const struct layer_request *request;
	struct partial *partial; /* NULL: nothing is kept */
	bool resumed;		 /* the open source began with what was kept */
	struct digest seen;	 /* the blob's digest, once it was read whole and right */
};

int layer_blob_begin(struct layer_blob *blob, const struct layer_request *request,
		     struct mkrootfs_error *error);
/* The blob from its start. At most one is open. */
int layer_blob_open(struct layer_blob *blob, struct source **out, struct mkrootfs_error *error);
/*
 * Whether another attempt may do better than the one that failed with error: without what was kept,
 * or from another source. Never when the blob was right and its content is what is wrong.
 */
bool layer_blob_again(struct layer_blob *blob, struct mkrootfs_error *error);
/* status is how it ended: what arrived is kept when a later run can go on from there. */
void layer_blob_end(struct layer_blob *blob, int status);

#endif
