/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_queue.h"

#include <pthread.h>
#include <stdlib.h>

struct sized_layer {
	int64_t size; /* bytes of the blob */
	size_t index;
};

struct layer_queue {
	pthread_mutex_t mutex;
	size_t first, end; /* of those left */
	struct sized_layer layers[];
};

static int compare(const void *a, const void *b)
{
	const struct sized_layer *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

int layer_queue_open(struct layer_queue **out, const struct manifest *manifest,
		     enum queue_order order, struct mkrootfs_error *error)
{
	size_t count = manifest->layer_count;
	struct layer_queue *queue = calloc(1, sizeof(*queue) + count * sizeof(queue->layers[0]));

	*out = queue;
	if (!queue)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++)
		queue->layers[i] = (struct sized_layer){ manifest->layers[i].size, i };
	if (order == QUEUE_BY_SIZE)
		qsort(queue->layers, count, sizeof(queue->layers[0]), compare);
	queue->end = count;
	pthread_mutex_init(&queue->mutex, NULL);
	return 0;
}

void layer_queue_free(struct layer_queue *queue)
{
	if (!queue)
		return;
	pthread_mutex_destroy(&queue->mutex);
	free(queue);
}

bool layer_queue_take(struct layer_queue *queue, enum queue_end end, size_t *index)
{
	bool taken;

	pthread_mutex_lock(&queue->mutex);
	taken = queue->first < queue->end;
	if (taken)
		*index = queue->layers[end == QUEUE_SMALLEST ? queue->first++ : --queue->end].index;
	pthread_mutex_unlock(&queue->mutex);
	return taken;
}

void layer_queue_empty(struct layer_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	queue->end = queue->first;
	pthread_mutex_unlock(&queue->mutex);
}
