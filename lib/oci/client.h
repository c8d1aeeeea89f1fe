/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET with redirects, or POST without, over a pool of sessions. Several threads may use one client.
 *
 *	client_create(&c, &options, error);
 *	client_get(&response, c, &request, error);
 *	if (response->status == 200)
 *		source_read_all(&body, &response->body, error);
 *	source_close(&response->body);			ends the response
 *	client_free(c);					after all its responses
 *
 * At most 10 redirects are followed, but none of a request with a form. Authorization is sent only
 *to the scheme, host and port of the request itself, and to no later hop once it was dropped. https
 *never leads to http, unless the caller asked for plain HTTP.
 */
#ifndef MKROOTFS_OCI_CLIENT_H
#define MKROOTFS_OCI_CLIENT_H

#include "../io/source.h"
#include "http.h"

struct client;

struct client_options {
	struct http_options http; /* strings are borrowed for the life of the client */
	bool plain_http;	  /* a redirect from https to http is followed */
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

int client_create(struct client **out, const struct client_options *options,
		  struct mkrootfs_error *error);
/* Any final status is a success. */
int client_get(struct client_response **out, struct client *client,
	       const struct http_request *request, struct mkrootfs_error *error);
/* As http_header. */
int client_header(struct buf *out, const struct client_response *response, const char *name,
		  struct mkrootfs_error *error);
/* NULL is allowed. */
void client_free(struct client *client);

#endif
