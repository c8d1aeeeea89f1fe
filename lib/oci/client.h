/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET with redirects, or POST without, over a pool of sessions, with further attempts when one
 * fails that may pass. Several threads may use one client.
 *
 *	client_create(&c, &options, error);
 *	client_get(&response, c, &request, error);
 *	if (response->status == 200)
 *		source_read_all(&body, &response->body, error);
 *	source_close(&response->body);			ends the response
 *	client_free(c);					after all its responses
 *
 * At most 10 redirects are followed, but none of a request with a form. Authorization is sent only
 * to the scheme, host and port of the request itself, and to no later hop once it was dropped.
 * https never leads to http, unless the caller asked for plain HTTP.
 *
 * Tried again, from the first URL on, are connections that were refused or broke, time limits, name
 * servers that do not answer, and the statuses 408, 429, 500, 502, 503 and 504. A body that breaks
 * is its reader's to ask for again, see client_may_pass.
 */
#ifndef MKROOTFS_OCI_CLIENT_H
#define MKROOTFS_OCI_CLIENT_H

#include "../io/source.h"
#include "http.h"
#include "retry.h"

struct client;

struct client_options {
	struct http_options http; /* what it points to is borrowed for the life of the client */
	bool plain_http;	  /* a redirect from https to http is followed */
	struct retry_policy retry;
};

struct client_response {
	struct source body;
	int status;
	bool same_origin; /* no redirect led elsewhere: the server that was asked answers */
	char host[256];	  /* that answers */
	/* The rest is private. */
	struct client *client;
	struct http_session *session;
};

/* Loads libcurl; UNSUPPORTED, with advice, when there is none. */
int client_create(struct client **out, const struct client_options *options,
		  struct mkrootfs_error *error);
/* Any final status is a success, also one that stayed after the last attempt. */
int client_get(struct client_response **out, struct client *client,
	       const struct http_request *request, struct mkrootfs_error *error);
/* One attempt; *failure, when that fails, is as http_failure. */
int client_get_once(struct client_response **out, unsigned *failure, struct client *client,
		    const struct http_request *request, struct mkrootfs_error *error);
/* As client_get, with the caller's count of attempts. */
int client_get_counted(struct client_response **out, struct client *client,
		       const struct http_request *request, struct retry *retry,
		       struct mkrootfs_error *error);
/* For retry_begin. */
const struct retry_policy *client_retry_policy(const struct client *client);

/* Whether another attempt may help, once reading the body failed. */
bool client_may_pass(const struct client_response *response);
/* As http_header and http_retry_after. */
int client_header(struct buf *out, const struct client_response *response, const char *name,
		  struct mkrootfs_error *error);
int64_t client_retry_after(const struct client_response *response);
/* NULL is allowed. */
void client_free(struct client *client);

#endif
