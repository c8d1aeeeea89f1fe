/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a resolved image to its folder in the store: the layers that are missing, the merge, the
 * record of its name.
 *
 *	struct fetch_image f = { .store = s, .transport = t, .resolved = r, .events = &events, ...
 *}; fetch_image(&image, &f, error);
 */
#ifndef MKROOTFS_ROOTFS_FETCH_IMAGE_H
#define MKROOTFS_ROOTFS_FETCH_IMAGE_H

#include "../oci/resolve.h"
#include "../store/store.h"
#include "events.h"
#include "layer.h"

struct fetch_image {
	const struct store *store;
	struct transport *transport;
	const struct resolved_image *resolved;
	struct mkrootfs_limits limits; /* defaults filled in */
	unsigned jobs;		       /* layers at once; 0: the default */
	unsigned threads;	       /* see struct layer_jobs_options */
	bool times;		       /* read the clock, for the image's layers */
	bool keep_partial;	       /* see struct layer_request */
	bool fresh;		       /* what the store has, this very pull brought there */
	struct made_layer made;	       /* what this very pull made; its tree is taken */
	const struct mkrootfs_layer_times
		*fresh_times; /* of the one layer, where it did; or NULL */
	struct events *events;
};

int fetch_image(struct mkrootfs_image **image, struct fetch_image *fetch,
		struct mkrootfs_error *error);

#endif
