/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images in a registry (OCI distribution-spec, Docker registry API v2).
 *
 *	struct registry_options options = { .settings = { .ca_cert = "/etc/ca.pem" } };
 *	registry_open(&transport, &reference, &options, error);
 *
 * Whether it is HTTPS or HTTP is told in endpoint.h, what is tried again in client.h and
 * blob_source.h, proxies and time limits in http.h. No connection is made before the first fetch.
 * A manifest is refused when it has not the digest that its Docker-Content-Digest header tells.
 */
#ifndef MKROOTFS_OCI_REGISTRY_H
#define MKROOTFS_OCI_REGISTRY_H

#include "http.h"
#include "reference.h"
#include "transport.h"

struct registry_options {
	struct mkrootfs_registry_options settings; /* its strings are borrowed until close */
	http_wait_fn wait; /* called while nothing comes, see http.h; or NULL */
	void *wait_user;
	/* Told what the user should know, in one line; on the thread that waits. Or NULL. */
	void (*warn)(void *user, const char *text);
	void *warn_user;
	unsigned retry_delay; /* milliseconds before the first further attempt; 0: 1,000 */
	uint64_t seed;	      /* of the jitter of such pauses; 0: of the monotonic clock */
};

/* Copies the reference and the options, not the strings of the latter. */
int registry_open(struct transport **out, const struct reference *reference,
		  const struct registry_options *options, struct mkrootfs_error *error);
/*
 * Asks the registry of a reference, as a whole, with the credentials of the options: DENIED when it
 * does not take them. *checked stays false when it asked nobody who they are.
 */
int registry_check_login(bool *checked, const struct reference *reference,
			 const struct registry_options *options, struct mkrootfs_error *error);

#endif
