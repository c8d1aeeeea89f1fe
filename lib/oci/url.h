/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a URL that decides whom to trust: scheme, host and port. The transfer library parses
 * URLs by itself; what is accepted here is so narrow that both must read the same origin.
 *
 *	struct url_origin origin;
 *	if (url_origin_parse(&origin, "https://ghcr.io/v2/", error) < 0) ...
 */
#ifndef MKROOTFS_OCI_URL_H
#define MKROOTFS_OCI_URL_H

#include "../base/buf.h"

#include <stdbool.h>

#define URL_HOST_SIZE 256

struct url_origin {
	bool https;		  /* else http; other schemes are refused */
	char host[URL_HOST_SIZE]; /* lower case; IPv6 addresses without their brackets */
	uint16_t port;
};

/* Refuses user names in the authority, and bytes that a URL may not hold. */
int url_origin_parse(struct url_origin *out, const char *url, struct mkrootfs_error *error);
bool url_origin_equal(const struct url_origin *a, const struct url_origin *b);
/* A literal IPv6 address, without brackets or a zone. */
bool url_is_ipv6(const char *host);
/* "localhost", 127.0.0.0/8 or ::1, by its text: nothing is looked up. */
bool url_host_is_loopback(const char *host);
/* Appends text with all but unreserved characters (RFC 3986, section 2.3) percent-encoded. */
int url_append_encoded(struct buf *out, const char *text, struct mkrootfs_error *error);

#endif
