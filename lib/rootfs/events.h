/* SPDX-License-Identifier: Apache-2.0 */
/* Telling the caller what happens, and hearing whether to go on. */
#ifndef MKROOTFS_ROOTFS_EVENTS_H
#define MKROOTFS_ROOTFS_EVENTS_H

#include "../base/digest.h"

#include <pthread.h>

struct event_relay;

/* Where events of one call go, and which layer they are about. */
struct events {
	mkrootfs_event_fn fn; /* NULL: nobody listens */
	void *user;
	uint32_t layer_index;
	uint32_t layer_count;
	char digest[DIGEST_TEXT_SIZE]; /* of the layer or manifest; empty: none */
	uint64_t total;		       /* bytes of the layer's blob, 0: unknown */
	bool cancelled;		       /* the caller said so; it stays said */
	/*
	 * While other threads work: theirs are told through it. What they share with this one, as
	 * the transport, may call events_warn and events_wait with this struct from any of them.
	 */
	struct event_relay *relay;
	pthread_t owner; /* the thread of the library call; set with relay */
};

/* Tells the caller; CANCELLED when it wants to stop. */
int events_report(struct events *events, enum mkrootfs_event_kind kind, uint64_t done,
		  struct mkrootfs_error *error);
/* CANCELLED when the caller said so at any event, also at one that could not report it. */
int events_check(const struct events *events, struct mkrootfs_error *error);
/* A warning; user is a struct events. Fits the warn callbacks of the modules below. */
void events_warn(void *user, const char *text);
/* Progress of the current layer's blob; user is a struct events. Fits source_meter. */
int events_progress(void *user, uint64_t done);
/* While waiting, so that a caller can cancel; user is a struct events. Fits lock_take. */
int events_wait(void *user);

#endif
