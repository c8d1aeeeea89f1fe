/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images in a registry (OCI distribution-spec, Docker registry API v2), anonymously.
 *
 *	struct registry_options options = { .ca_file = "/etc/ca.pem" };
 *	registry_open(&transport, &reference, &options, error);
 *
 * HTTPS, with two exceptions: plain_http, and registries on loopback, which are taken for local
 *ones without a certificate, unless their port is 443 or a ca_file is given. One protocol is tried.
 * No connection is made before the first fetch. See http.h for proxies and time limits.
 */
#ifndef MKROOTFS_OCI_REGISTRY_H
#define MKROOTFS_OCI_REGISTRY_H

#include "http.h"
#include "reference.h"
#include "transport.h"

struct registry_options {
	const char *ca_file;	  /* PEM file of trusted authorities; NULL: the system's */
	bool plain_http;	  /* HTTP instead of HTTPS */
	unsigned connect_timeout; /* seconds; 0: 30 */
	unsigned idle_timeout;	  /* seconds without a byte; 0: 60 */
	http_wait_fn wait;	  /* called while nothing comes, see http.h; or NULL */
	void *wait_user;
};

/* Copies the reference and the options. */
int registry_open(struct transport **out, const struct reference *reference,
		  const struct registry_options *options, struct mkrootfs_error *error);

#endif
