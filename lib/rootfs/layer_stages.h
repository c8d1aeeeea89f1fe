/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads that help one worker with its layer: one receives and hashes the blob, one unpacks
 * it, while the worker hashes, parses and writes the tar. They start only while the processors have
 * room beside the workers: with several layers in work they are busy without.
 *
 *	struct layer_stages stages;
 *	layer_stages_init(&stages, relay, first_port, &spare);
 *	layer_stages_begin(&stages, &events);		for each layer, by the worker
 *	source_ahead(&s, inner, layer_stages_options(&stages, LAYER_STAGE_UNPACK), error);
 */
#ifndef MKROOTFS_ROOTFS_LAYER_STAGES_H
#define MKROOTFS_ROOTFS_LAYER_STAGES_H

#include "../io/source.h"
#include "events.h"

enum layer_stage_kind { LAYER_STAGE_RECEIVE, LAYER_STAGE_UNPACK, LAYER_STAGES };

struct layer_stages;

struct layer_stage {
	struct layer_stages *all;
	unsigned port;
	struct events events; /* as the worker's, but told through the stage's own port */
	struct source_ahead options;
};

struct layer_stages {
	struct event_relay *relay;
	atomic_int *spare; /* threads that may still start; of the whole call */
	atomic_bool stop;
	struct layer_stage stages[LAYER_STAGES];
};

/*
 * How many threads may be busy at once: asked, or for 0 one more than processors, since one that
 * receives is mostly waiting; with a single processor, one.
 */
unsigned layer_stages_threads(unsigned asked);
/* The stages take LAYER_STAGES ports from first_port on. relay and spare are borrowed. */
void layer_stages_init(struct layer_stages *stages, struct event_relay *relay, unsigned first_port,
		       atomic_int *spare);
/* The next layer; events are the worker's, about that layer. */
void layer_stages_begin(struct layer_stages *stages, const struct events *events);
/* For source_ahead; they belong to stages. */
const struct source_ahead *layer_stages_options(struct layer_stages *stages,
						enum layer_stage_kind kind);

#endif
