/* SPDX-License-Identifier: Apache-2.0 */
#include "client.h"

#include "redirects.h"
#include "session_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISCARD_MAX (64u << 10) /* bytes read of an unwanted body to keep its connection */

struct client {
	struct client_options options;
	struct session_pool pool;
};

int client_create(struct client **out, const struct client_options *options,
		  struct mkrootfs_error *error)
{
	struct client *client = calloc(1, sizeof(*client));
	int status;

	*out = NULL;
	if (!client)
		return error_no_memory(error);
	client->options = *options;
	status = session_pool_init(&client->pool, error);
	if (status < 0)
		client_free(client);
	else
		*out = client;
	return status;
}

void client_free(struct client *client)
{
	if (!client)
		return;
	session_pool_free(&client->pool);
	free(client);
}

static int response_next(struct source *source, const uint8_t **data, size_t *len,
			 struct mkrootfs_error *error)
{
	struct client_response *response = (struct client_response *)source;

	return http_next(response->session, data, len, error);
}

static void response_close(struct source *source)
{
	struct client_response *response = (struct client_response *)source;

	session_pool_give(&response->client->pool, response->session);
	free(response);
}

static const struct source_ops response_ops = { .next = response_next, .close = response_close };

static int start_response(struct client_response *response, const struct http_request *request,
			  struct mkrootfs_error *error)
{
	struct redirects_end end;
	int status = redirects_follow(&end, response->session, request,
				      response->client->options.plain_http, error);

	if (status == 0) {
		response->status = http_status(response->session);
		response->same_origin = end.same_origin;
		memcpy(response->host, end.origin.host, sizeof(response->host));
	}
	return status;
}

int client_get_once(struct client_response **out, unsigned *failure, struct client *client,
		    const struct http_request *request, struct mkrootfs_error *error)
{
	struct client_response *response = calloc(1, sizeof(*response));
	int status;

	*out = NULL;
	*failure = 0;
	if (!response)
		return error_no_memory(error);
	source_init(&response->body, &response_ops);
	response->client = client;
	status = session_pool_take(&response->session, &client->pool, &client->options.http, error);
	if (status == 0) {
		status = start_response(response, request, error);
		if (status < 0) {
			*failure = http_failure(response->session);
			session_pool_give(&client->pool, response->session);
		}
	}
	if (status < 0) {
		free(response);
		return status;
	}
	*out = response;
	return 0;
}

/* ---- Further attempts ---- */

static bool is_passing_status(int status)
{
	return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
	       status == 504;
}

/* A response with such a status is given up for the next attempt. */
static int wait_after_status(struct client_response *response, struct retry *retry,
			     struct mkrootfs_error *error)
{
	int64_t after = client_retry_after(response);
	struct mkrootfs_error ignored;
	char reason[320];

	snprintf(reason, sizeof(reason), "%s answers HTTP %d", response->host, response->status);
	source_drain(&response->body, DISCARD_MAX, &ignored);
	source_close(&response->body);
	return retry_wait(retry, after, reason, error);
}

static int wait_after_failure(struct retry *retry, struct mkrootfs_error *error)
{
	const struct mkrootfs_error reason = *error;

	return retry_wait(retry, RETRY_AFTER_UNKNOWN, reason.message, error);
}

int client_get_counted(struct client_response **out, struct client *client,
		       const struct http_request *request, struct retry *retry,
		       struct mkrootfs_error *error)
{
	unsigned failure;
	int status;

	for (;;) {
		status = client_get_once(out, &failure, client, request, error);
		if (status < 0 &&
		    (!(failure & HTTP_MAY_PASS) || !retry_is_left(retry, RETRY_AFTER_UNKNOWN)))
			return status;
		if (status == 0 && (!is_passing_status((*out)->status) ||
				    !retry_is_left(retry, client_retry_after(*out))))
			return 0;
		status = *out ? wait_after_status(*out, retry, error)
			      : wait_after_failure(retry, error);
		*out = NULL;
		if (status < 0)
			return status;
	}
}

int client_get(struct client_response **out, struct client *client,
	       const struct http_request *request, struct mkrootfs_error *error)
{
	struct retry retry;

	retry_begin(&retry, &client->options.retry, request->url);
	return client_get_counted(out, client, request, &retry, error);
}

/* ---- What a response says ---- */

bool client_may_pass(const struct client_response *response)
{
	return http_failure(response->session) & HTTP_MAY_PASS;
}

int64_t client_retry_after(const struct client_response *response)
{
	return http_retry_after(response->session);
}

int client_header(struct buf *out, const struct client_response *response, const char *name,
		  struct mkrootfs_error *error)
{
	return http_header(out, response->session, name, error);
}

const struct retry_policy *client_retry_policy(const struct client *client)
{
	return &client->options.retry;
}
