/* SPDX-License-Identifier: Apache-2.0 */
#include "session_pool.h"

int session_pool_init(struct session_pool *pool, struct mkrootfs_error *error)
{
	pool->count = 0;
	pthread_mutex_init(&pool->lock, NULL);
	return http_curl_load(&pool->curl, error);
}

/* The session that was used last comes first: its connection is the likeliest to be alive. */
int session_pool_take(struct http_session **out, struct session_pool *pool,
		      const struct http_options *options, struct mkrootfs_error *error)
{
	*out = NULL;
	pthread_mutex_lock(&pool->lock);
	if (pool->count > 0)
		*out = pool->idle[--pool->count];
	pthread_mutex_unlock(&pool->lock);
	return *out ? 0 : http_session_create(out, pool->curl, options, error);
}

void session_pool_give(struct session_pool *pool, struct http_session *session)
{
	http_stop(session);
	pthread_mutex_lock(&pool->lock);
	if (pool->count < SESSION_POOL_SIZE) {
		pool->idle[pool->count++] = session;
		session = NULL;
	}
	pthread_mutex_unlock(&pool->lock);
	http_session_free(session);
}

void session_pool_free(struct session_pool *pool)
{
	while (pool->count > 0)
		http_session_free(pool->idle[--pool->count]);
	http_curl_free(pool->curl);
	pthread_mutex_destroy(&pool->lock);
}
