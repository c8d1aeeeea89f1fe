/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layers that wait for a worker. Large ones start first, since they take longest; one worker takes
 * from the small end, so that no layer waits for all the large ones.
 *
 *	layer_queue_open(&q, &manifest, QUEUE_BY_SIZE, error);
 *	while (layer_queue_take(q, QUEUE_LARGEST, &index))
 *		...
 *	layer_queue_free(q);
 */
#ifndef MKROOTFS_ROOTFS_LAYER_QUEUE_H
#define MKROOTFS_ROOTFS_LAYER_QUEUE_H

#include "../oci/manifest.h"

struct layer_queue;

enum queue_end { QUEUE_LARGEST, QUEUE_SMALLEST };

/* In the manifest's order the smallest end is the lowest layer. */
enum queue_order { QUEUE_BY_SIZE, QUEUE_AS_LISTED };
int layer_queue_open(struct layer_queue **out, const struct manifest *manifest,
		     enum queue_order order, struct mkrootfs_error *error);
/* NULL is allowed. */
void layer_queue_free(struct layer_queue *queue);

/* By any thread. False when none is left. */
bool layer_queue_take(struct layer_queue *queue, enum queue_end end, size_t *index);
/* Leaves nothing for those who come. */
void layer_queue_empty(struct layer_queue *queue);

#endif
