/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_pump.h"

#include "../io/ring_fill.h"
#include "../io/thread.h"
#include "event_relay.h"
#include "layer_stages.h"
#include "layer_stream.h"
#include "layer_times.h"

#define PUMP_FROM (256u << 10) /* bytes of a blob that is worth a thread */
#define PUMP_BUFFERS 6
#define PUMP_SIZE (256u << 10) /* bytes of a buffer */

enum pump_thread { PUMP_CALLER, PUMP_WORKER, PUMP_THREADS };

struct pump {
	struct image_file *file;
	struct digest *diff_id;
	struct layer_options options; /* the worker's */
	struct events events;	      /* the worker's: by its port of the relay */
	struct layer_stages stages;
	atomic_int spare;
	struct event_relay *relay;
	struct ring *ring;
	pthread_t thread;
	int status; /* of the worker */
	struct mkrootfs_error failure;
	atomic_bool left; /* the worker is done */
	/* The calling thread's. */
	struct events *caller;
	struct events saved; /* what these were */
	bool cancelled;
};

/* ---- The worker ---- */

static int convert(struct pump *pump)
{
	struct source *source;
	int status = source_ring(&source, pump->ring, &pump->failure);

	if (status < 0)
		return status;
	return layer_convert(pump->file, pump->diff_id, source, &pump->options, &pump->failure);
}

static void *work(void *user)
{
	struct pump *pump = user;

	event_relay_enter(pump->relay, 0, &pump->events);
	pump->status = convert(pump);
	ring_leave(pump->ring);
	atomic_store(&pump->left, true);
	event_relay_leave(pump->relay);
	return NULL;
}

/* ---- The calling thread ---- */

static void wake(void *user)
{
	ring_poke(((struct pump *)user)->ring);
}

/* The worker must not wait for bytes that will not come. */
static void note_cancel(struct pump *pump)
{
	pump->cancelled = true;
	atomic_store(&pump->stages.stop, true);
}

static void tell(void *user)
{
	struct pump *pump = user;

	if (event_relay_poll(pump->relay, pump->saved.fn, pump->saved.user))
		note_cancel(pump);
}

/* While the blob is waited for; whose reading is in vain once nobody takes it. */
static int tell_caller(void *user, const struct mkrootfs_event *event)
{
	struct pump *pump = user;

	tell(pump);
	if (pump->saved.fn && pump->saved.fn(pump->saved.user, event))
		note_cancel(pump);
	return pump->cancelled || atomic_load(&pump->left);
}

/* No room is given on a stop, without memory, or where nobody listens any more. */
static int next(struct pump *pump, struct ring_fill *fill, size_t *len, struct source *blob,
		struct mkrootfs_error *error)
{
	const uint8_t *data;
	int status;

	if (ring_fill_offer(fill, blob)) {
		status = source_next(blob, &data, len, error);
		tell(pump);
		if (status < 0 || (!pump->cancelled && ring_fill_put(fill, data, *len)))
			return status;
	}
	return pump->cancelled ? error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled")
			       : error_no_memory(error);
}

static void run(struct pump *pump, struct source *blob)
{
	struct ring_fill fill = { .ring = pump->ring };
	struct mkrootfs_error error = { 0 };
	size_t len = 0;
	int status;

	do {
		status = next(pump, &fill, &len, blob, &error);
	} while (status == 0 && len > 0);
	ring_fill_end(&fill, status, &error);
	if (event_relay_deliver(pump->relay, pump->saved.fn, pump->saved.user))
		note_cancel(pump);
	pthread_join(pump->thread, NULL);
}

/* ---- Both ---- */

static void begin(struct pump *pump, unsigned threads)
{
	pump->events = *pump->caller;
	pump->events.fn = event_relay_post;
	pump->events.user = event_relay_port(pump->relay, 0);
	pump->options.events = &pump->events;
	pump->options.stages = &pump->stages;
	pump->options.is_received = true;
	atomic_init(&pump->spare, (int)threads - PUMP_THREADS);
	layer_stages_init(&pump->stages, pump->relay, 1, &pump->spare);
	layer_stages_begin(&pump->stages, &pump->events);
	event_relay_set_wake(pump->relay, wake, pump);
	ring_set_idle(pump->ring, tell, pump);
	pump->saved = *pump->caller;
	pump->caller->fn = tell_caller;
	pump->caller->user = pump;
}

static int end(struct pump *pump, struct mkrootfs_error *error)
{
	*pump->caller = pump->saved;
	pump->caller->cancelled |= pump->cancelled;
	if (pump->options.clocks)
		pump->options.clocks->waited += ring_waited(pump->ring);
	if (pump->status == 0)
		return events_check(pump->caller, error);
	*error = pump->failure;
	return error->status;
}

/* *started false: all is as before. */
static int run_threads(struct pump *pump, bool *started, struct source *blob, unsigned threads,
		       struct mkrootfs_error *error)
{
	begin(pump, threads);
	*started = thread_start(&pump->thread, work, pump) == 0;
	if (*started)
		run(pump, blob);
	return end(pump, error);
}

static int open_all(struct pump *pump, struct mkrootfs_error *error)
{
	int status = event_relay_open(&pump->relay, 1, 1 + LAYER_STAGES, error);

	if (status < 0)
		return status;
	return ring_create(&pump->ring, PUMP_BUFFERS, PUMP_SIZE, &pump->stages.stop, error);
}

static int convert_ahead(struct pump *pump, bool *started, struct source *blob, unsigned threads,
			 struct mkrootfs_error *error)
{
	int status = open_all(pump, error);

	if (status == 0)
		status = run_threads(pump, started, blob, threads, error);
	ring_free(pump->ring);
	event_relay_close(pump->relay);
	return status;
}

/* Reads so much that a short blob shows its end; then *is_long is false. */
static int look(struct source **blob, bool *is_long, const struct layer_options *options,
		struct mkrootfs_error *error)
{
	struct source *wrapper = NULL;
	int status = layer_stream_receive(blob, options, error);

	if (status == 0) {
		status = source_front(&wrapper, *blob, PUMP_FROM, error);
		*is_long = status == 0 && !(*blob)->ended && !(*blob)->failed;
		if (status < 0)
			source_close(*blob);
		*blob = wrapper;
	}
	return status;
}

int layer_pump_convert(struct image_file *file, struct digest *diff_id, struct source *blob,
		       const struct layer_options *options, unsigned threads,
		       struct mkrootfs_error *error)
{
	struct pump pump = {
		.file = file, .diff_id = diff_id, .options = *options, .caller = options->events
	};
	bool is_long, started = false;
	int status;

	threads = layer_stages_threads(threads);
	if (threads < PUMP_THREADS)
		return layer_convert(file, diff_id, blob, options, error);
	if ((status = look(&blob, &is_long, options, error)) < 0)
		return status;
	if (is_long)
		status = convert_ahead(&pump, &started, blob, threads, error);
	if (started) {
		source_close(blob);
		return status;
	}
	pump.options = *options;
	pump.options.is_received = true;
	return layer_convert(file, diff_id, blob, &pump.options, error);
}
