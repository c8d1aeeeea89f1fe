/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why an exchange failed, as an error that a user can act on, and whether another attempt may help.
 *
 *	struct http_cause cause = { .kind = HTTP_CAUSE_CONNECT, .host = "h", .port = 443, ... };
 *	failure = http_cause_error(&cause, error);
 *	if (failure & HTTP_MAY_PASS) ...
 */
#ifndef MKROOTFS_OCI_HTTP_CAUSE_H
#define MKROOTFS_OCI_HTTP_CAUSE_H

#include "../base/error.h"

#include <stdbool.h>

enum http_cause_kind {
	HTTP_CAUSE_OTHER,
	HTTP_CAUSE_NAME,       /* the host's name was not found */
	HTTP_CAUSE_PROXY_NAME, /* that of the proxy */
	HTTP_CAUSE_CONNECT,
	HTTP_CAUSE_TIMEOUT,
	HTTP_CAUSE_BROKEN,	/* the connection stood, and ended too early */
	HTTP_CAUSE_UNANSWERED,	/* the same before any answer, TLS being agreed upon */
	HTTP_CAUSE_HANDSHAKE,	/* it ended before TLS was agreed upon */
	HTTP_CAUSE_CERTIFICATE, /* the server's was not accepted */
	HTTP_CAUSE_FILES,	/* authorities or a certificate of options cannot be used */
	HTTP_CAUSE_NO_SYSTEM,	/* the file of the system's authorities cannot be used */
};

struct http_cause {
	enum http_cause_kind kind;
	const char *host;
	unsigned port;
	int os_errno;	    /* of a failed connect, or 0 */
	const char *detail; /* the transfer library's own words */
};

/* What a failure is, besides an error; several at once. */
enum {
	HTTP_MAY_PASS = 1, /* another attempt may succeed */
	HTTP_REFUSED = 2,  /* nobody listens there, or no way leads there */
	HTTP_NO_TLS = 4,   /* the other side seems to speak no TLS */
};

/* What a user can do about a proxy that wants to know who asks. */
#define HTTP_PROXY_USER_ADVICE \
	"the proxy wants credentials: https_proxy=http://user:password@host:port (or http_proxy)"

/*
 * Fills error with status, message and advice. For a name that was not found it asks the system
 * once more: only there can it be told from a name server that does not answer.
 */
unsigned http_cause_error(const struct http_cause *cause, struct mkrootfs_error *error);

#endif
