/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One HTTP request at a time over connections that are kept. The only user of libcurl, which
 * is loaded by the first call and no sooner.
 *
 *	http_curl_load(&curl, error);
 *	http_session_create(&s, curl, &options, error);
 *	http_start(s, &request, error);			returns when the headers are there
 *	if (http_status(s) == 200)
 *		while (http_next(s, &data, &len, error) == 0 && len > 0)
 *			use(data, len);
 *	http_stop(s);					at any point; then the next http_start
 *	http_session_free(s);
 *	http_curl_free(curl);				after all its sessions
 *
 * Redirects are not followed; client.h does that. Memory is bounded: a session holds at
 * most half a MiB of what was not asked for yet, and the server waits. HTTP/1.1, since one body at
 * a time gains nothing from streams and flow control stays TCP's. TLS 1.2 or later, certificates
 * verified unless the options say otherwise. Nothing is tried twice here: retry.h does that.
 *
 * The environment: libcurl reads the proxy variables (https_proxy, http_proxy, all_proxy, no_proxy
 * and their upper-case forms where it takes them); loopback hosts are never asked through a proxy.
 * The clock: the monotonic one, for time limits only. Global state: libcurl's own, which
 * is loaded and initialised with the first load and never undone, so that a host program that uses
 * libcurl is not disturbed;
 * SIGPIPE is held back in the calling thread while libcurl works.
 */
#ifndef MKROOTFS_OCI_HTTP_H
#define MKROOTFS_OCI_HTTP_H

#include "../base/buf.h"
#include "http_cause.h"
#include "retry_after.h"

#include <stdbool.h>

struct http_curl;
struct http_session;

/* Called about once a second while nothing comes; non-zero gives up (CANCELLED). */
typedef int (*http_wait_fn)(void *user);

struct http_options {
	const struct buf *authorities; /* PEM; NULL or empty: the system's, see below */
	const char *certificate;       /* PEM file of the client's certificate, or NULL */
	const char *key;	       /* PEM file of its key */
	bool insecure;		       /* certificates are not checked */
	unsigned connect_timeout;      /* seconds until name, connection and TLS; 0: 30 */
	unsigned idle_timeout; /* seconds without a byte; 0: 60. There is no overall limit */
	http_wait_fn wait;     /* or NULL */
	void *wait_user;
};

struct http_request {
	const char *url;
	const char *accept;	   /* value of the Accept header; NULL: anything */
	const char *authorization; /* value of the Authorization header, or NULL */
	const char *form;	   /* POST this application/x-www-form-urlencoded; NULL: GET */
	uint64_t offset;	   /* ask for the body from this byte on */
	const char *if_range;	   /* only if it still has this strong ETag; NULL: in any case */
	bool no_redirect;	   /* for client.h: a redirect is the response */
	/*
	 * Only whether TLS answers is asked: certificates are not checked, and no other request
	 * gets the connection.
	 */
	bool anybody;
};

/* UNSUPPORTED, with advice: there is no libcurl. Sessions of several threads may share it. */
int http_curl_load(struct http_curl **out, struct mkrootfs_error *error);
/* NULL is allowed. */
void http_curl_free(struct http_curl *curl);

/*
 * Appends the file of authorities that libcurl was built to trust, for who wants to add to them;
 * none: nothing. Where libcurl uses a folder of authorities, it does so in any case.
 */
int http_system_authorities(struct buf *out, struct mkrootfs_error *error);

/* curl, options and what these point to are borrowed for the life of the session. */
int http_session_create(struct http_session **out, const struct http_curl *curl,
			const struct http_options *options, struct mkrootfs_error *error);
/* Sends the request and waits for the head of its response; any status is a success. */
int http_start(struct http_session *session, const struct http_request *request,
	       struct mkrootfs_error *error);
int http_status(const struct http_session *session);
/* HTTP_MAY_PASS and others, of the last start or next that failed. */
unsigned http_failure(const struct http_session *session);
/*
 * Appends the values of all header lines of that name, joined by ", "; none: nothing. Valid until
 * the next start.
 */
int http_header(struct buf *out, const struct http_session *session, const char *name,
		struct mkrootfs_error *error);
/* Seconds of the Retry-After header, or RETRY_AFTER_UNKNOWN. */
int64_t http_retry_after(const struct http_session *session);
/* Appends the absolute URL that the Location header points to; without one: nothing. */
int http_redirect_url(struct buf *out, const struct http_session *session,
		      struct mkrootfs_error *error);
/* Lends the next bytes of the body until the next call; *len 0 is the complete end. */
int http_next(struct http_session *session, const uint8_t **data, size_t *len,
	      struct mkrootfs_error *error);
/* Ends the exchange. The connection is kept when the body was read to its end. */
void http_stop(struct http_session *session);
/* NULL is allowed. */
void http_session_free(struct http_session *session);

#endif
