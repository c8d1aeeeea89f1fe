/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of several threads, told on the thread that made the library call. Each working thread
 * has a port of its own.
 *
 *	event_relay_open(&relay, worker_count, error);
 *	... in each worker:
 *	struct events events = { .fn = event_relay_post, .user = event_relay_port(relay, i) };
 *	event_relay_enter(relay, i, &events);
 *	event_relay_leave(relay);			at its end
 *	... in the calling thread, until all have left:
 *	event_relay_deliver(relay, fn, user);
 *	event_relay_close(relay);
 *
 * Progress is told about twenty times a second: what is newer takes the place of what was not told
 * yet. The worker waits until any other event was told, so none is lost and its text lives.
 */
#ifndef MKROOTFS_ROOTFS_EVENT_RELAY_H
#define MKROOTFS_ROOTFS_EVENT_RELAY_H

#include "../base/error.h"

#include <stdbool.h>

struct event_relay;
struct event_port;
struct events;

/* ports: at least one for each worker, in front; the others are for threads that help them. */
int event_relay_open(struct event_relay **out, unsigned workers, unsigned ports,
		     struct mkrootfs_error *error);
/* Only when no worker is left. NULL is allowed. */
void event_relay_close(struct event_relay *relay);
struct event_port *event_relay_port(struct event_relay *relay, unsigned index);

/* A thread begins; events is borrowed until it leaves or exits. */
void event_relay_enter(struct event_relay *relay, unsigned index, struct events *events);
/* A thread that helps a worker ends, before the worker leaves. */
void event_relay_exit(struct event_relay *relay, unsigned index);
/* The events of the calling thread; NULL: it is none of these. */
struct events *event_relay_events(struct event_relay *relay);

/*
 * For a calling thread that has other work than event_relay_deliver: wake is called, by a worker,
 * whenever one waits for its event to be told. Before any worker.
 */
void event_relay_set_wake(struct event_relay *relay, void (*wake)(void *user), void *user);
/* Tells what there is, without waiting. True when fn asked to stop. */
bool event_relay_poll(struct event_relay *relay, mkrootfs_event_fn fn, void *user);

/* A mkrootfs_event_fn; user is a port. Non-zero once the work is to stop. */
int event_relay_post(void *user, const struct mkrootfs_event *event);
/* From here on every post is answered by "stop"; by any thread. */
void event_relay_stop(struct event_relay *relay);
/* A worker ends, or was never started. */
void event_relay_leave(struct event_relay *relay);

/* Calls fn, which may be NULL, until all workers have left. True when fn asked to stop. */
bool event_relay_deliver(struct event_relay *relay, mkrootfs_event_fn fn, void *user);

#endif
