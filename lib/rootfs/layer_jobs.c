/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_jobs.h"

#include "../io/thread.h"
#include "event_relay.h"
#include "layer_cache.h"
#include "layer_queue.h"
#include "layer_stages.h"

#include <stdlib.h>

struct layer_jobs {
	const struct layer_jobs_options *options;
	struct event_relay *relay;
	struct layer_queue *queue;
	bool *reused;
	atomic_int spare;      /* threads that may start beside the workers */
	pthread_mutex_t mutex; /* of what follows */
	bool failed;
	struct mkrootfs_error failure; /* the first */
};

struct layer_worker {
	struct layer_jobs *jobs;
	pthread_t thread;
	unsigned index;	    /* of its port */
	enum queue_end end; /* of the queue, from which it takes */
	struct events events;
	struct layer_stages stages;
};

void layer_jobs_set_event(struct events *events, const struct resolved_image *image, size_t index)
{
	const struct descriptor *blob = &image->manifest.layers[index];

	events->layer_index = (uint32_t)index;
	events->layer_count = (uint32_t)image->manifest.layer_count;
	events->total = (uint64_t)blob->size;
	digest_format(events->digest, &blob->digest);
}

static int report_layer(bool reused, const struct descriptor *blob, struct events *events,
			struct mkrootfs_error *error)
{
	if (reused)
		return events_report(events, MKROOTFS_EVENT_LAYER_REUSED, 0, error);
	return events_report(events, MKROOTFS_EVENT_LAYER_DONE, (uint64_t)blob->size, error);
}

/* stages may be NULL. */
static int ensure_layer(bool *reused, const struct layer_jobs_options *o, size_t index,
			struct layer_stages *stages, struct events *events,
			struct mkrootfs_error *error)
{
	const struct descriptor *blob = &o->image->manifest.layers[index];
	struct made_layer made;
	const struct layer_request request = { .store = o->store,
					       .transport = o->transport,
					       .blob = blob,
					       .diff_id = &o->image->config.diff_ids[index],
					       .limits = o->limits,
					       .stages = stages,
					       .times = o->times ? &o->times[index] : NULL,
					       .made = &made,
					       .keep_partial = o->keep_partial };
	int status;

	layer_jobs_set_event(events, o->image, index);
	status = layer_ensure(reused, &request, events, error);
	if (status < 0)
		return error_prefix(error, "layer %zu/%zu %.19s: ", index + 1,
				    o->image->manifest.layer_count, events->digest);
	*reused = *reused && !o->fresh;
	status = report_layer(*reused, blob, events, error);
	if (status < 0)
		tree_free(made.tree);
	else
		early_merge_give(o->merge, index, &made);
	return status;
}

static int run_one_by_one(bool *reused, const struct layer_jobs_options *options,
			  struct events *events, struct mkrootfs_error *error)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < options->image->manifest.layer_count; i++)
		status = ensure_layer(&reused[i], options, i, NULL, events, error);
	return status;
}

static void fail(struct layer_jobs *jobs, const struct mkrootfs_error *error)
{
	pthread_mutex_lock(&jobs->mutex);
	if (!jobs->failed)
		jobs->failure = *error;
	jobs->failed = true;
	pthread_mutex_unlock(&jobs->mutex);
	layer_queue_empty(jobs->queue);
	early_merge_stop(jobs->options->merge);
	event_relay_stop(jobs->relay);
}

static void *work(void *user)
{
	struct layer_worker *worker = user;
	struct layer_jobs *jobs = worker->jobs;
	struct mkrootfs_error error;
	size_t i;

	event_relay_enter(jobs->relay, worker->index, &worker->events);
	while (layer_queue_take(jobs->queue, worker->end, &i))
		if (ensure_layer(&jobs->reused[i], jobs->options, i, &worker->stages,
				 &worker->events, &error) < 0)
			fail(jobs, &error);
	atomic_fetch_add(&jobs->spare, 1);
	event_relay_leave(jobs->relay);
	return NULL;
}

/* The ports of the stages stand behind those of all workers. */
static void start(struct layer_worker *worker, struct layer_jobs *jobs, unsigned index,
		  unsigned count)
{
	worker->jobs = jobs;
	worker->index = index;
	worker->end = index == 0 ? QUEUE_SMALLEST : QUEUE_LARGEST;
	worker->events = (struct events){ .fn = event_relay_post,
					  .user = event_relay_port(jobs->relay, index) };
	layer_stages_init(&worker->stages, jobs->relay, count + index * LAYER_STAGES, &jobs->spare);
}

/* Fewer threads than asked for do the same work. Returns how many there are. */
static unsigned start_all(struct layer_worker *workers, struct layer_jobs *jobs, unsigned count)
{
	unsigned started = 0;

	for (unsigned i = 0; i < count; i++) {
		start(&workers[i], jobs, i, count);
		if (started == i && thread_start(&workers[i].thread, work, &workers[i]) == 0) {
			started++;
			continue;
		}
		event_relay_leave(jobs->relay);
		atomic_fetch_add(&jobs->spare, 1);
	}
	return started;
}

static int run_workers(struct layer_jobs *jobs, struct layer_worker *workers, unsigned count,
		       struct events *events, struct mkrootfs_error *error)
{
	unsigned started;

	events->relay = jobs->relay;
	events->owner = pthread_self();
	started = start_all(workers, jobs, count);
	if (event_relay_deliver(jobs->relay, events->fn, events->user))
		events->cancelled = true;
	for (unsigned i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	events->relay = NULL;
	if (jobs->failed) {
		*error = jobs->failure;
		return error->status;
	}
	if (started == 0)
		return run_one_by_one(jobs->reused, jobs->options, events, error);
	return events_check(events, error);
}

static int run_threads(struct layer_jobs *jobs, unsigned count, struct events *events,
		       struct mkrootfs_error *error)
{
	struct layer_worker *workers = calloc(count, sizeof(*workers));
	int status = workers ? 0 : error_no_memory(error);

	if (status == 0)
		status = layer_queue_open(&jobs->queue, &jobs->options->image->manifest,
					  count > 1 ? QUEUE_BY_SIZE : QUEUE_AS_LISTED, error);
	if (status == 0)
		status = event_relay_open(&jobs->relay, count, count * (1 + LAYER_STAGES), error);
	if (status == 0)
		status = run_workers(jobs, workers, count, events, error);
	event_relay_close(jobs->relay);
	layer_queue_free(jobs->queue);
	free(workers);
	return status;
}

static unsigned worker_count(const struct layer_jobs_options *options)
{
	size_t layers = options->image->manifest.layer_count;
	unsigned jobs = options->jobs ? options->jobs : LAYER_JOBS_DEFAULT;

	return layers < jobs ? (unsigned)layers : jobs;
}

int layer_jobs_run(bool *reused, const struct layer_jobs_options *options, struct events *events,
		   struct mkrootfs_error *error)
{
	struct layer_jobs jobs = { .options = options, .reused = reused };
	unsigned count = worker_count(options), threads = layer_stages_threads(options->threads);
	int status;

	if (count == 0 || (count < 2 && threads < 2))
		return run_one_by_one(reused, options, events, error);
	atomic_init(&jobs.spare, (int)threads - (int)count);
	pthread_mutex_init(&jobs.mutex, NULL);
	status = run_threads(&jobs, count, events, error);
	pthread_mutex_destroy(&jobs.mutex);
	return status;
}
