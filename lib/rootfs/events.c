/* SPDX-License-Identifier: Apache-2.0 */
#include "events.h"

#include "../base/buf.h"
#include "event_relay.h"

static int send(struct events *events, enum mkrootfs_event_kind kind, uint64_t done,
		const char *text)
{
	const struct mkrootfs_event event = {
		.kind = kind,
		.layer_index = events->layer_index,
		.layer_count = events->layer_count,
		.digest = *events->digest ? events->digest : NULL,
		.done = done,
		.total = events->total,
		.text = text,
	};

	if (events->fn && events->fn(events->user, &event))
		events->cancelled = true;
	return events->cancelled;
}

int events_check(const struct events *events, struct mkrootfs_error *error)
{
	return events->cancelled ? error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled") : 0;
}

int events_report(struct events *events, enum mkrootfs_event_kind kind, uint64_t done,
		  struct mkrootfs_error *error)
{
	send(events, kind, done, NULL);
	return events_check(events, error);
}

/* Those of the calling thread. */
static struct events *of_this_thread(struct events *events)
{
	struct events *own = NULL;

	if (events->relay && !pthread_equal(events->owner, pthread_self()))
		own = event_relay_events(events->relay);
	return own ? own : events;
}

/* Through struct mkrootfs_error, which escapes control bytes: texts quote names of archives. */
void events_warn(void *user, const char *text)
{
	struct mkrootfs_error clean;

	error_set(&clean, MKROOTFS_OK, "%s", text);
	send(of_this_thread(user), MKROOTFS_EVENT_WARNING, 0, clean.message);
}

int events_progress(void *user, uint64_t done)
{
	return send(user, MKROOTFS_EVENT_LAYER_PROGRESS, done, NULL);
}

int events_wait(void *user)
{
	return send(of_this_thread(user), MKROOTFS_EVENT_WAITING, 0, NULL);
}
