/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layers of one image, brought into the store several at once.
 *
 *	struct layer_jobs_options o = { .store = s, .transport = t, .image = resolved, ... };
 *	layer_jobs_run(reused, &o, &events, error);
 */
#ifndef MKROOTFS_ROOTFS_LAYER_JOBS_H
#define MKROOTFS_ROOTFS_LAYER_JOBS_H

#include "../oci/resolve.h"
#include "../store/store.h"
#include "early_merge.h"
#include "events.h"

#define LAYER_JOBS_DEFAULT 3 /* as docker: enough to keep a fast line busy */

struct layer_jobs_options {
	const struct store *store;
	struct transport *transport;
	const struct resolved_image *image;
	struct mkrootfs_limits limits;
	unsigned jobs;	  /* at once; 0: LAYER_JOBS_DEFAULT */
	unsigned threads; /* busy at once; 0: one more than processors, 1: no more than jobs */
	struct mkrootfs_layer_times
		*times;		   /* of each layer, when it is made; NULL: not asked for */
	bool keep_partial;	   /* see struct layer_request */
	struct early_merge *merge; /* takes the trees of layers that are made; or NULL */
	bool fresh;		   /* a layer that the store has counts as made now */
};

/*
 * reused[i] tells whether the store had layer i. The first layer that fails stops the others; its
 * error names it. Events come to the calling thread, also from layers in work at the same time.
 */
int layer_jobs_run(bool *reused, const struct layer_jobs_options *options, struct events *events,
		   struct mkrootfs_error *error);

/* Sets the layer that events are about. */
void layer_jobs_set_event(struct events *events, const struct resolved_image *image, size_t index);

#endif
