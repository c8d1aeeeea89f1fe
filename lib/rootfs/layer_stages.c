/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_stages.h"

#include "../io/thread.h"
#include "event_relay.h"

/* Bytes that pass before a thread is asked for: less is done before one has started. */
#define RECEIVE_FROM (256u << 10)
#define UNPACK_FROM (1u << 20)

/* A thread that is free, if there is one. */
static bool may_begin(void *user)
{
	struct layer_stage *stage = user;

	if (atomic_fetch_sub(stage->all->spare, 1) > 0)
		return true;
	atomic_fetch_add(stage->all->spare, 1);
	return false;
}

static void give_back(void *user)
{
	struct layer_stage *stage = user;

	atomic_fetch_add(stage->all->spare, 1);
}

static void enter(void *user)
{
	struct layer_stage *stage = user;

	event_relay_enter(stage->all->relay, stage->port, &stage->events);
}

static void leave(void *user)
{
	struct layer_stage *stage = user;

	event_relay_exit(stage->all->relay, stage->port);
	give_back(user);
}

/* A stage whose stream is closed early must not wait for the network any more. */
static int tell(void *user, const struct mkrootfs_event *event)
{
	struct layer_stage *stage = user;

	if (atomic_load(&stage->all->stop))
		return 1;
	return event_relay_post(event_relay_port(stage->all->relay, stage->port), event);
}

static struct source_ahead make_options(struct layer_stages *stages, enum layer_stage_kind kind)
{
	return (struct source_ahead){ .direct = kind == LAYER_STAGE_RECEIVE ? RECEIVE_FROM
									    : UNPACK_FROM,
				      .stop = &stages->stop,
				      .begin = may_begin,
				      .unused = give_back,
				      .enter = enter,
				      .leave = leave,
				      .user = &stages->stages[kind] };
}

unsigned layer_stages_threads(unsigned asked)
{
	unsigned processors = thread_processors();

	if (asked)
		return asked;
	return processors > 1 ? processors + 1 : 1;
}

void layer_stages_init(struct layer_stages *stages, struct event_relay *relay, unsigned first_port,
		       atomic_int *spare)
{
	*stages = (struct layer_stages){ .relay = relay, .spare = spare };
	for (unsigned i = 0; i < LAYER_STAGES; i++) {
		stages->stages[i].all = stages;
		stages->stages[i].port = first_port + i;
		stages->stages[i].options = make_options(stages, i);
	}
}

void layer_stages_begin(struct layer_stages *stages, const struct events *events)
{
	atomic_store(&stages->stop, false);
	for (unsigned i = 0; i < LAYER_STAGES; i++) {
		stages->stages[i].events = *events;
		stages->stages[i].events.fn = tell;
		stages->stages[i].events.user = &stages->stages[i];
	}
}

const struct source_ahead *layer_stages_options(struct layer_stages *stages,
						enum layer_stage_kind kind)
{
	return &stages->stages[kind].options;
}
