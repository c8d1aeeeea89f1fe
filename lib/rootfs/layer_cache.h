/* SPDX-License-Identifier: Apache-2.0 */
/* Layer images in a store, found by diff ID or made from a blob. */
#ifndef MKROOTFS_ROOTFS_LAYER_CACHE_H
#define MKROOTFS_ROOTFS_LAYER_CACHE_H

#include "../oci/transport.h"
#include "../store/store.h"
#include "layer.h"

/*
 * Whether path holds the image of that layer as this version writes it: identity and size are
 * right. Anything else, also a damaged file, is a no.
 */
bool layer_is_valid(const char *path, const struct digest *diff_id);

struct layer_request {
	const struct store *store;
	struct transport *transport;
	const struct descriptor *blob;
	const struct digest *diff_id;
	struct mkrootfs_limits limits;	    /* defaults filled in */
	struct layer_stages *stages;	    /* threads that help; NULL: none */
	struct mkrootfs_layer_times *times; /* takes them when it was made; or NULL */
	struct made_layer *made; /* what the caller frees; no tree when the store had it */
	bool keep_partial;	 /* what arrived of the blob is kept for a later run */
};

/*
 * Makes sure that the store has the layer; *reused tells whether it had. One process converts, the
 * others wait for it.
 */
int layer_ensure(bool *reused, const struct layer_request *request, struct events *events,
		 struct mkrootfs_error *error);

#endif
