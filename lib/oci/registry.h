/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images in a registry (OCI distribution-spec, Docker registry API v2).
 *
 *	struct registry_options options = { .settings = { .ca_cert = "/etc/ca.pem" } };
 *	registry_open(&transport, &reference, &options, error);
 *
 * HTTPS, with two exceptions: plain_http, and registries on loopback, which are taken for local
 *ones without a certificate, unless their port is 443 or a ca_cert is given. One protocol is tried.
 * No connection is made before the first fetch. See http.h for proxies and time limits.
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
};

/* Copies the reference and the options, not the strings of the latter. */
int registry_open(struct transport **out, const struct reference *reference,
		  const struct registry_options *options, struct mkrootfs_error *error);

#endif
