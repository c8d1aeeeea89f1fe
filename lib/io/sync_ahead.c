/* SPDX-License-Identifier: Apache-2.0 */
#include "sync_ahead.h"

#include "file_sync.h"
#include "thread.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

struct sync_ahead {
	int fd;
	pthread_t thread;
	pthread_mutex_t mutex; /* of what follows */
	pthread_cond_t told;
	bool more, stopped;
	int os_errno; /* of the first sync that failed */
};

static bool wait_for_more(struct sync_ahead *ahead)
{
	bool goes_on;

	pthread_mutex_lock(&ahead->mutex);
	while (!ahead->more && !ahead->stopped)
		pthread_cond_wait(&ahead->told, &ahead->mutex);
	ahead->more = false;
	goes_on = !ahead->stopped;
	pthread_mutex_unlock(&ahead->mutex);
	return goes_on;
}

static void *run(void *user)
{
	struct sync_ahead *ahead = user;

	while (ahead->os_errno == 0 && wait_for_more(ahead))
		if (file_sync(ahead->fd) < 0)
			ahead->os_errno = errno;
	return NULL;
}

static void destroy(struct sync_ahead *ahead)
{
	pthread_cond_destroy(&ahead->told);
	pthread_mutex_destroy(&ahead->mutex);
	free(ahead);
}

void sync_ahead_start(struct sync_ahead **out, int fd)
{
	struct sync_ahead *ahead = calloc(1, sizeof(*ahead));

	*out = ahead;
	if (!ahead)
		return;
	ahead->fd = fd;
	pthread_mutex_init(&ahead->mutex, NULL);
	pthread_cond_init(&ahead->told, NULL);
	if (thread_start(&ahead->thread, run, ahead) == 0)
		return;
	destroy(ahead);
	*out = NULL;
}

void sync_ahead_tell(struct sync_ahead *ahead)
{
	pthread_mutex_lock(&ahead->mutex);
	ahead->more = true;
	pthread_cond_signal(&ahead->told);
	pthread_mutex_unlock(&ahead->mutex);
}

int sync_ahead_stop(struct sync_ahead *ahead)
{
	int os_errno;

	if (!ahead)
		return 0;
	pthread_mutex_lock(&ahead->mutex);
	ahead->stopped = true;
	pthread_cond_signal(&ahead->told);
	pthread_mutex_unlock(&ahead->mutex);
	pthread_join(ahead->thread, NULL);
	os_errno = ahead->os_errno;
	destroy(ahead);
	return os_errno;
}
