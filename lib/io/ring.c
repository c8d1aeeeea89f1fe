/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

#include "../base/pages.h"
#include "clock.h"

#include <pthread.h>
#include <stdlib.h>

#define LOOK_NSEC 20000000 /* how long a wait goes on before it looks at stop */

struct buffer {
	uint8_t *data;
	size_t len;
};

struct ring {
	pthread_mutex_t mutex;
	pthread_cond_t put, taken;
	const atomic_bool *stop;
	size_t size;	      /* bytes of a buffer */
	size_t count;	      /* of buffers */
	uint64_t puts, takes; /* buffers so far; the last one taken is still lent */
	uint64_t waited;      /* nanoseconds */
	bool finished, left;
	bool poked;
	void (*idle)(void *user);
	void *user;
	atomic_bool awaited;
	struct mkrootfs_error end; /* with status 0, the end */
	struct buffer buffers[];
};

static void init_conditions(struct ring *ring)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&ring->put, &attributes);
	pthread_cond_init(&ring->taken, &attributes);
	pthread_condattr_destroy(&attributes);
}

/* Buffers get their memory when they are first filled: a short stream needs few. */
int ring_create(struct ring **out, size_t buffers, size_t size, const atomic_bool *stop,
		struct mkrootfs_error *error)
{
	struct ring *ring = calloc(1, sizeof(*ring) + buffers * sizeof(ring->buffers[0]));

	*out = ring;
	if (!ring)
		return error_no_memory(error);
	ring->count = buffers;
	ring->size = size;
	ring->stop = stop;
	pthread_mutex_init(&ring->mutex, NULL);
	init_conditions(ring);
	return 0;
}

void ring_free(struct ring *ring)
{
	if (!ring)
		return;
	for (size_t i = 0; i < ring->count; i++)
		free(ring->buffers[i].data);
	pthread_cond_destroy(&ring->taken);
	pthread_cond_destroy(&ring->put);
	pthread_mutex_destroy(&ring->mutex);
	free(ring);
}

static void wait_a_little(struct ring *ring, pthread_cond_t *condition)
{
	uint64_t now = clock_nanoseconds(), end = now + LOOK_NSEC;
	const struct timespec until = { .tv_sec = (time_t)(end / 1000000000),
					.tv_nsec = (long)(end % 1000000000) };

	pthread_cond_timedwait(condition, &ring->mutex, &until);
	ring->waited += clock_nanoseconds() - now;
}

uint64_t ring_waited(const struct ring *ring)
{
	return ring->waited;
}

size_t ring_size(const struct ring *ring)
{
	return ring->size;
}

void ring_set_idle(struct ring *ring, void (*idle)(void *user), void *user)
{
	ring->idle = idle;
	ring->user = user;
}

void ring_poke(struct ring *ring)
{
	pthread_mutex_lock(&ring->mutex);
	ring->poked = true;
	pthread_cond_signal(&ring->taken);
	pthread_mutex_unlock(&ring->mutex);
}

/* A poke while idle is at work is not lost. */
static void wait_for_room(struct ring *ring)
{
	if (!ring->poked)
		wait_a_little(ring, &ring->taken);
	ring->poked = false;
	if (!ring->idle)
		return;
	pthread_mutex_unlock(&ring->mutex);
	ring->idle(ring->user);
	pthread_mutex_lock(&ring->mutex);
}

static struct buffer *buffer_at(struct ring *ring, uint64_t number)
{
	return &ring->buffers[number % ring->count];
}

uint8_t *ring_empty(struct ring *ring)
{
	struct buffer *buffer = NULL;

	pthread_mutex_lock(&ring->mutex);
	/* The one that was taken last is still in use. */
	while (!ring->left && !*ring->stop && ring->puts - ring->takes + 1 >= ring->count)
		wait_for_room(ring);
	if (!ring->left && !*ring->stop)
		buffer = buffer_at(ring, ring->puts);
	pthread_mutex_unlock(&ring->mutex);
	if (buffer && !buffer->data)
		buffer->data = pages_alloc(ring->size);
	return buffer ? buffer->data : NULL;
}

void ring_put(struct ring *ring, size_t len)
{
	pthread_mutex_lock(&ring->mutex);
	buffer_at(ring, ring->puts++)->len = len;
	/* Who waits is woken for several buffers, or by the end; after LOOK_NSEC for any. */
	if (ring->puts - ring->takes >= ring->count / 2)
		pthread_cond_signal(&ring->put);
	pthread_mutex_unlock(&ring->mutex);
}

bool ring_is_awaited(const struct ring *ring)
{
	return atomic_load_explicit(&ring->awaited, memory_order_relaxed);
}

void ring_finish(struct ring *ring, int status, const struct mkrootfs_error *error)
{
	pthread_mutex_lock(&ring->mutex);
	ring->finished = true;
	if (status < 0)
		ring->end = *error;
	pthread_cond_signal(&ring->put);
	pthread_mutex_unlock(&ring->mutex);
}

static int take(struct ring *ring, const uint8_t **data, size_t *len, struct mkrootfs_error *error)
{
	if (ring->puts > ring->takes) {
		const struct buffer *buffer = buffer_at(ring, ring->takes++);

		*data = buffer->data;
		*len = buffer->len;
		if (ring->puts - ring->takes < ring->count / 2)
			pthread_cond_signal(&ring->taken);
		return 0;
	}
	if (!ring->finished)
		return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
	*len = 0;
	if (ring->end.status < 0)
		*error = ring->end;
	return ring->end.status;
}

int ring_take(struct ring *ring, const uint8_t **data, size_t *len, struct mkrootfs_error *error)
{
	int status;

	pthread_mutex_lock(&ring->mutex);
	while (ring->puts == ring->takes && !ring->finished && !*ring->stop) {
		atomic_store_explicit(&ring->awaited, true, memory_order_relaxed);
		wait_a_little(ring, &ring->put);
	}
	atomic_store_explicit(&ring->awaited, false, memory_order_relaxed);
	status = take(ring, data, len, error);
	pthread_mutex_unlock(&ring->mutex);
	return status;
}

void ring_leave(struct ring *ring)
{
	pthread_mutex_lock(&ring->mutex);
	ring->left = true;
	pthread_cond_signal(&ring->taken);
	pthread_mutex_unlock(&ring->mutex);
}
