/* SPDX-License-Identifier: Apache-2.0 */
#include "client.h"

#include "url.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REDIRECT_MAX 10
#define URL_MAX_SIZE (64u << 10) /* bytes of a redirect's URL */
#define DISCARD_MAX (64u << 10)	 /* bytes read of an unwanted body to keep its connection */
#define IDLE_SESSIONS 8

struct client {
	struct client_options options;
	pthread_mutex_t lock;
	struct http_session *idle[IDLE_SESSIONS];
	size_t idle_count;
};

int client_create(struct client **out, const struct client_options *options,
		  struct mkrootfs_error *error)
{
	struct client *client = calloc(1, sizeof(*client));

	*out = client;
	if (!client)
		return error_no_memory(error);
	client->options = *options;
	pthread_mutex_init(&client->lock, NULL);
	return 0;
}

void client_free(struct client *client)
{
	if (!client)
		return;
	while (client->idle_count > 0)
		http_session_free(client->idle[--client->idle_count]);
	pthread_mutex_destroy(&client->lock);
	free(client);
}

/* ---- The pool ---- */

/* The session that was used last comes first: its connection is the likeliest to be alive. */
static int take_session(struct http_session **out, struct client *client,
			struct mkrootfs_error *error)
{
	*out = NULL;
	pthread_mutex_lock(&client->lock);
	if (client->idle_count > 0)
		*out = client->idle[--client->idle_count];
	pthread_mutex_unlock(&client->lock);
	return *out ? 0 : http_session_create(out, &client->options.http, error);
}

static void give_session(struct client *client, struct http_session *session)
{
	http_stop(session);
	pthread_mutex_lock(&client->lock);
	if (client->idle_count < IDLE_SESSIONS) {
		client->idle[client->idle_count++] = session;
		session = NULL;
	}
	pthread_mutex_unlock(&client->lock);
	http_session_free(session);
}

/* ---- Redirects ---- */

struct hop {
	struct http_request request;
	struct url_origin origin;
	struct buf url; /* of a redirect; request.url points into it */
	unsigned count;
};

static bool is_redirect(int status)
{
	return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static int check_redirect(const struct hop *hop, const struct url_origin *to,
			  const struct client *client, struct mkrootfs_error *error)
{
	if (hop->count >= REDIRECT_MAX)
		return error_set(error, MKROOTFS_ERROR_NETWORK, "%s: more than %d redirects",
				 hop->origin.host, REDIRECT_MAX);
	if (hop->origin.https && !to->https && !client->options.plain_http)
		return error_set(error, MKROOTFS_ERROR_NETWORK,
				 "%s: from https to plain http is refused", hop->origin.host);
	return 0;
}

static void discard_body(struct http_session *session)
{
	struct mkrootfs_error ignored;
	const uint8_t *data;
	size_t len, total = 0;

	do {
		if (http_next(session, &data, &len, &ignored) < 0)
			return;
		total += len;
	} while (len > 0 && total < DISCARD_MAX);
}

/* Makes hop the redirect that session got, and *more true; false: the response is final. */
static int follow(bool *more, struct hop *hop, struct http_session *session,
		  const struct client *client, struct mkrootfs_error *error)
{
	struct buf url = BUF_INIT(URL_MAX_SIZE);
	struct url_origin origin;
	int status = 0;

	*more = false;
	/* What a form holds is meant for the one server alone. */
	if (is_redirect(http_status(session)) && !hop->request.form && !hop->request.no_redirect)
		status = http_redirect_url(&url, session, error);
	if (status == 0 && url.len > 0) {
		status = url_origin_parse(&origin, (const char *)url.data, error);
		if (status == 0)
			status = check_redirect(hop, &origin, client, error);
	}
	if (status < 0 || url.len == 0) {
		buf_free(&url);
		return status < 0 ? error_prefix(error, "redirect: ") : 0;
	}
	discard_body(session);
	if (!url_origin_equal(&origin, &hop->origin))
		hop->request.authorization = NULL;
	buf_free(&hop->url);
	hop->url = url;
	hop->request.url = (const char *)url.data;
	hop->origin = origin;
	hop->count++;
	*more = true;
	return 0;
}

static int exchange(struct http_session *session, struct hop *hop, const struct client *client,
		    struct mkrootfs_error *error)
{
	bool more;

	do {
		if (http_start(session, &hop->request, error) < 0 ||
		    follow(&more, hop, session, client, error) < 0)
			return error->status;
	} while (more);
	return 0;
}

/* ---- The response ---- */

static int response_next(struct source *source, const uint8_t **data, size_t *len,
			 struct mkrootfs_error *error)
{
	struct client_response *response = (struct client_response *)source;

	return http_next(response->session, data, len, error);
}

static void response_close(struct source *source)
{
	struct client_response *response = (struct client_response *)source;

	give_session(response->client, response->session);
	free(response);
}

static const struct source_ops response_ops = { .next = response_next, .close = response_close };

static int start_response(struct client_response *response, const struct http_request *request,
			  struct mkrootfs_error *error)
{
	struct hop hop = { .request = *request };
	struct url_origin first;
	int status = url_origin_parse(&first, request->url, error);

	hop.origin = first;
	if (status == 0)
		status = exchange(response->session, &hop, response->client, error);
	if (status == 0) {
		response->status = http_status(response->session);
		response->same_origin = url_origin_equal(&first, &hop.origin);
		memcpy(response->host, hop.origin.host, sizeof(response->host));
	}
	buf_free(&hop.url);
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
	status = take_session(&response->session, client, error);
	if (status == 0) {
		status = start_response(response, request, error);
		if (status < 0) {
			*failure = http_failure(response->session);
			give_session(client, response->session);
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

const struct retry_policy *client_retry_policy(const struct client *client)
{
	return &client->options.retry;
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
