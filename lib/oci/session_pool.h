/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sessions that wait for their next request, with their connections.
 *
 *	session_pool_init(&pool, error);
 *	session_pool_take(&session, &pool, &options, error);
 *	...
 *	session_pool_give(&pool, session);
 *	session_pool_free(&pool);
 *
 * Take and give may be called from several threads at once.
 */
#ifndef MKROOTFS_OCI_SESSION_POOL_H
#define MKROOTFS_OCI_SESSION_POOL_H

#include "http.h"

#include <pthread.h>

#define SESSION_POOL_SIZE 8

struct session_pool {
	struct http_curl *curl;
	pthread_mutex_t lock;
	struct http_session *idle[SESSION_POOL_SIZE];
	size_t count;
};

/* Loads libcurl; UNSUPPORTED, with advice, when there is none. session_pool_free in any case. */
int session_pool_init(struct session_pool *pool, struct mkrootfs_error *error);
/* One that waits, or a new one with these options, which are borrowed for its life. */
int session_pool_take(struct http_session **out, struct session_pool *pool,
		      const struct http_options *options, struct mkrootfs_error *error);
/* Stops it. */
void session_pool_give(struct session_pool *pool, struct http_session *session);
void session_pool_free(struct session_pool *pool);

#endif
