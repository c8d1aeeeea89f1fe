/* SPDX-License-Identifier: Apache-2.0 */
#include "event_relay.h"

#include "../base/digest.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TELL_NSEC 50000000 /* progress waits so long at most */

struct kept_event {
	struct mkrootfs_event event;
	char digest[DIGEST_TEXT_SIZE]; /* of the event: the worker goes on and changes its own */
	bool pending;
};

struct event_port {
	struct event_relay *relay;
	struct kept_event passing; /* told first; what is newer takes its place */
	struct kept_event waiting; /* with the worker */
	struct events *events;	   /* of the worker, once it began */
	pthread_t thread;
};

struct event_relay {
	pthread_mutex_t mutex;
	pthread_cond_t posted; /* something that does not wait came, or a worker left */
	pthread_cond_t told;
	unsigned count, working;
	bool stopped;
	void (*wake)(void *user); /* may be NULL */
	void *user;
	struct event_port ports[];
};

static void init_conditions(struct event_relay *relay)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&relay->posted, &attributes);
	pthread_cond_init(&relay->told, NULL);
	pthread_condattr_destroy(&attributes);
}

int event_relay_open(struct event_relay **out, unsigned workers, unsigned ports,
		     struct mkrootfs_error *error)
{
	struct event_relay *relay = calloc(1, sizeof(*relay) + ports * sizeof(relay->ports[0]));

	*out = relay;
	if (!relay)
		return error_no_memory(error);
	relay->count = ports;
	relay->working = workers;
	for (unsigned i = 0; i < ports; i++)
		relay->ports[i].relay = relay;
	pthread_mutex_init(&relay->mutex, NULL);
	init_conditions(relay);
	return 0;
}

void event_relay_close(struct event_relay *relay)
{
	if (!relay)
		return;
	pthread_cond_destroy(&relay->told);
	pthread_cond_destroy(&relay->posted);
	pthread_mutex_destroy(&relay->mutex);
	free(relay);
}

void event_relay_set_wake(struct event_relay *relay, void (*wake)(void *user), void *user)
{
	relay->wake = wake;
	relay->user = user;
}

struct event_port *event_relay_port(struct event_relay *relay, unsigned index)
{
	return &relay->ports[index];
}

void event_relay_enter(struct event_relay *relay, unsigned index, struct events *events)
{
	pthread_mutex_lock(&relay->mutex);
	relay->ports[index].thread = pthread_self();
	relay->ports[index].events = events;
	pthread_mutex_unlock(&relay->mutex);
}

void event_relay_exit(struct event_relay *relay, unsigned index)
{
	pthread_mutex_lock(&relay->mutex);
	relay->ports[index].events = NULL;
	pthread_mutex_unlock(&relay->mutex);
}

struct events *event_relay_events(struct event_relay *relay)
{
	struct events *found = NULL;

	pthread_mutex_lock(&relay->mutex);
	for (unsigned i = 0; i < relay->count; i++) {
		if (relay->ports[i].events && pthread_equal(relay->ports[i].thread, pthread_self()))
			found = relay->ports[i].events;
	}
	pthread_mutex_unlock(&relay->mutex);
	return found;
}

static bool may_be_replaced(const struct mkrootfs_event *event)
{
	return event->kind == MKROOTFS_EVENT_LAYER_PROGRESS ||
	       event->kind == MKROOTFS_EVENT_WAITING;
}

static void keep(struct kept_event *kept, const struct mkrootfs_event *event)
{
	kept->event = *event;
	if (event->digest) {
		snprintf(kept->digest, sizeof(kept->digest), "%s", event->digest);
		kept->event.digest = kept->digest;
	}
	kept->pending = true;
}

int event_relay_post(void *user, const struct mkrootfs_event *event)
{
	struct event_port *port = user;
	struct event_relay *relay = port->relay;
	bool stopped;

	pthread_mutex_lock(&relay->mutex);
	if (may_be_replaced(event)) {
		keep(&port->passing, event);
	} else {
		keep(&port->waiting, event);
		pthread_cond_signal(&relay->posted);
		if (relay->wake)
			relay->wake(relay->user);
		while (port->waiting.pending)
			pthread_cond_wait(&relay->told, &relay->mutex);
	}
	stopped = relay->stopped;
	pthread_mutex_unlock(&relay->mutex);
	return stopped;
}

void event_relay_stop(struct event_relay *relay)
{
	pthread_mutex_lock(&relay->mutex);
	relay->stopped = true;
	pthread_mutex_unlock(&relay->mutex);
}

void event_relay_leave(struct event_relay *relay)
{
	pthread_mutex_lock(&relay->mutex);
	relay->working--;
	pthread_cond_signal(&relay->posted);
	pthread_mutex_unlock(&relay->mutex);
}

/* With the mutex held, which the callback runs without. */
static bool tell(struct event_relay *relay, struct kept_event *kept, mkrootfs_event_fn fn,
		 void *user)
{
	struct kept_event copy = *kept;
	bool stop;

	if (copy.event.digest)
		copy.event.digest = copy.digest;
	pthread_mutex_unlock(&relay->mutex);
	stop = fn && fn(user, &copy.event) != 0;
	pthread_mutex_lock(&relay->mutex);
	relay->stopped |= stop;
	return stop;
}

static bool tell_port(struct event_port *port, mkrootfs_event_fn fn, void *user)
{
	struct event_relay *relay = port->relay;
	bool stop = false;

	if (port->passing.pending) {
		port->passing.pending = false;
		stop |= tell(relay, &port->passing, fn, user);
	}
	if (port->waiting.pending) {
		stop |= tell(relay, &port->waiting, fn, user);
		port->waiting.pending = false;
		pthread_cond_broadcast(&relay->told);
	}
	return stop;
}

static bool somebody_waits(const struct event_relay *relay)
{
	for (unsigned i = 0; i < relay->count; i++)
		if (relay->ports[i].waiting.pending)
			return true;
	return false;
}

static void wait_a_little(struct event_relay *relay)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += TELL_NSEC;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_cond_timedwait(&relay->posted, &relay->mutex, &until);
}

static bool tell_all(struct event_relay *relay, mkrootfs_event_fn fn, void *user)
{
	bool stop = false;

	for (unsigned i = 0; i < relay->count; i++)
		stop |= tell_port(&relay->ports[i], fn, user);
	return stop;
}

bool event_relay_poll(struct event_relay *relay, mkrootfs_event_fn fn, void *user)
{
	bool stop;

	pthread_mutex_lock(&relay->mutex);
	stop = tell_all(relay, fn, user);
	pthread_mutex_unlock(&relay->mutex);
	return stop;
}

bool event_relay_deliver(struct event_relay *relay, mkrootfs_event_fn fn, void *user)
{
	bool stop = false;

	pthread_mutex_lock(&relay->mutex);
	while (relay->working > 0) {
		stop |= tell_all(relay, fn, user);
		if (relay->working > 0 && !somebody_waits(relay))
			wait_a_little(relay);
	}
	pthread_mutex_unlock(&relay->mutex);
	return stop;
}
