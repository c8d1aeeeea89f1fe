/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server of a registry: its URL, which may depend on what it speaks.
 *
 *	endpoint_init(&endpoint, "127.0.0.1:5000", &settings, error);
 *	endpoint_decide(&endpoint, client, error);	before each use, from any thread
 *	use(endpoint.base, endpoint.origin);
 *	endpoint_free(&endpoint);
 *
 * HTTPS, or HTTP where plain_http is set. Two kinds of servers are asked by HTTPS first and, where
 * that shows no TLS, by HTTP: those on loopback, unless certificates are given for them, and those
 * whose certificates shall not be checked. A certificate that is not accepted is no reason to.
 */
#ifndef MKROOTFS_OCI_ENDPOINT_H
#define MKROOTFS_OCI_ENDPOINT_H

#include "client.h"
#include "url.h"

#include <pthread.h>

struct endpoint {
	char base[320]; /* "https://registry-1.docker.io" */
	struct url_origin origin;
	/* The rest is private. */
	pthread_mutex_t lock;
	const char *server;
	bool has_port;
	bool decided;
};

/* server is "HOST[:PORT]" and borrowed. */
int endpoint_init(struct endpoint *endpoint, const char *server,
		  const struct mkrootfs_registry_options *settings, struct mkrootfs_error *error);
/* Asks the server the first time, if there is something to decide; base and origin hold after it.
 */
int endpoint_decide(struct endpoint *endpoint, struct client *client, struct mkrootfs_error *error);
void endpoint_free(struct endpoint *endpoint);

#endif
