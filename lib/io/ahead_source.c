/* SPDX-License-Identifier: Apache-2.0 */
#include "ring_fill.h"
#include "source.h"
#include "thread.h"

#include <stdlib.h>

#define AHEAD_BUFFERS 6
#define AHEAD_SIZE (256u << 10) /* bytes of a buffer */

struct ahead_source {
	struct source source;
	struct source *inner; /* the thread's, while there is one */
	struct source_ahead options;
	uint64_t passed; /* bytes lent before the thread, since it was last asked for */
	struct ring *ring;
	bool threaded;
	pthread_t thread;
};

/* ---- The thread ---- */

/* No room is given on a stop, without memory, or where nobody listens any more. */
static int next(struct ahead_source *ahead, struct ring_fill *ring, size_t *len,
		struct mkrootfs_error *error)
{
	const uint8_t *data;
	int status;

	if (ring_fill_offer(ring, ahead->inner)) {
		status = source_next(ahead->inner, &data, len, error);
		if (status < 0 || ring_fill_put(ring, data, *len))
			return status;
	}
	return *ahead->options.stop ? error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled")
				    : error_no_memory(error);
}

static void *run(void *user)
{
	struct ahead_source *ahead = user;
	struct ring_fill ring = { .ring = ahead->ring };
	struct mkrootfs_error error = { 0 };
	size_t len = 0;
	int status;

	if (ahead->options.enter)
		ahead->options.enter(ahead->options.user);
	do {
		status = next(ahead, &ring, &len, &error);
	} while (status == 0 && len > 0);
	if (ahead->options.leave)
		ahead->options.leave(ahead->options.user);
	ring_fill_end(&ring, status, &error);
	return NULL;
}

/* ---- The side that reads ---- */

/* Without a thread the stream is as it was. */
static void start(struct ahead_source *ahead)
{
	struct source_ahead *options = &ahead->options;
	struct mkrootfs_error ignored;

	ahead->passed = 0;
	if (options->begin && !options->begin(options->user))
		return;
	if (ring_create(&ahead->ring, AHEAD_BUFFERS, AHEAD_SIZE, options->stop, &ignored) == 0)
		ahead->threaded = thread_start(&ahead->thread, run, ahead) == 0;
	if (ahead->threaded)
		return;
	ring_free(ahead->ring);
	ahead->ring = NULL;
	if (options->unused)
		options->unused(options->user);
}

static int ahead_next(struct source *source, const uint8_t **data, size_t *len,
		      struct mkrootfs_error *error)
{
	struct ahead_source *ahead = (struct ahead_source *)source;
	int status;

	if (!ahead->threaded && ahead->passed >= ahead->options.direct)
		start(ahead);
	if (ahead->threaded)
		return ring_take(ahead->ring, data, len, error);
	status = source_next(ahead->inner, data, len, error);
	ahead->passed += *len;
	return status;
}

static void ahead_close(struct source *source)
{
	struct ahead_source *ahead = (struct ahead_source *)source;

	if (ahead->threaded) {
		if (!source->ended)
			*ahead->options.stop = true;
		ring_leave(ahead->ring);
		pthread_join(ahead->thread, NULL);
		if (ahead->options.waited)
			*ahead->options.waited += ring_waited(ahead->ring);
	}
	ring_free(ahead->ring);
	source_close(ahead->inner);
	free(ahead);
}

static uint64_t ahead_dropped(const struct source *source)
{
	return source_dropped(((const struct ahead_source *)source)->inner);
}

static const struct source_ops ahead_ops = { .next = ahead_next,
					     .close = ahead_close,
					     .dropped = ahead_dropped };

int source_ahead(struct source **out, struct source *inner, const struct source_ahead *options,
		 struct mkrootfs_error *error)
{
	struct ahead_source *ahead = calloc(1, sizeof(*ahead));

	*out = NULL;
	if (!ahead)
		return error_no_memory(error);
	source_init(&ahead->source, &ahead_ops);
	ahead->inner = inner;
	ahead->options = *options;
	*out = &ahead->source;
	return 0;
}
