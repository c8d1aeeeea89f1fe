/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The insides of a session, for the files http*.c alone: what libcurl declares comes through here,
 * and its functions are called through struct http_curl alone, see http_curl.c.
 *
 *	http_set_up(session, &request)			http_setup.c, and http_tls.c
 *	http_wait_head(session, error)			http_transfer.c, and then
 *	http_wait_body(session, error)			as long as http.c has nothing to lend
 *	http_set_failure(session, error)		http_failure.c: why it ended before that
 */
#ifndef MKROOTFS_OCI_HTTP_SESSION_H
#define MKROOTFS_OCI_HTTP_SESSION_H

#include "head.h"
#include "http.h"
#include "url.h"

#include <curl/curl.h>
#include <time.h>

#define BODY_WINDOW (256u << 10) /* bytes received ahead of the reader */

/* The functions that are used of libcurl, without their common curl_. */
#define HTTP_CURL_FUNCTIONS(_) \
	_(global_init)         \
	_(free)                \
	_(slist_append)        \
	_(slist_free_all)      \
	_(easy_init)           \
	_(easy_reset)          \
	_(easy_cleanup)        \
	_(easy_setopt)         \
	_(easy_getinfo)        \
	_(easy_pause)          \
	_(easy_strerror)       \
	_(multi_init)          \
	_(multi_cleanup)       \
	_(multi_add_handle)    \
	_(multi_remove_handle) \
	_(multi_perform)       \
	_(multi_poll)          \
	_(multi_info_read)     \
	_(url)                 \
	_(url_set)             \
	_(url_get)             \
	_(url_cleanup)         \
	_(version_info)

#define HTTP_CURL_POINTER(name) __typeof__(curl_##name) *name;

struct http_curl {
	HTTP_CURL_FUNCTIONS(HTTP_CURL_POINTER)
};

/* Which of the system's authorities a session trusts, see http_trust.c. */
enum http_trust { HTTP_TRUST_UNKNOWN, HTTP_TRUST_FOLDER, HTTP_TRUST_ALL };

struct http_session {
	const struct http_curl *curl; /* borrowed, as are the options */
	const struct http_options *options;
	CURL *easy;
	CURLM *multi;
	struct curl_slist *headers; /* of the request */
	struct url_origin origin;
	enum http_trust trust;
	struct head head;
	struct buf body;	     /* received, not yet lent or being lent */
	struct mkrootfs_error local; /* of a callback, which cannot return one */
	time_t active;		     /* when the last byte came, seconds of the monotonic clock */
	CURLcode result;	     /* once running is false */
	unsigned failure;	     /* HTTP_MAY_PASS and others */
	bool running;		     /* the exchange is not complete */
	bool paused;
	bool lent; /* body was handed out by the last http_next */
	char detail[CURL_ERROR_SIZE];
};

/* libcurl's own macro would call what nothing is linked with. A number must be a long. */
#define http_setopt(session, option, value) \
	((session)->curl->easy_setopt((session)->easy, option, value))

/* All options of libcurl for this request; false: it knows one of them not. */
bool http_set_up(struct http_session *session, const struct http_request *request);
/* Those of TLS; part of the above. */
bool http_set_tls(struct http_session *session, const struct http_request *request);

/* Part of the above, when no other authorities are given; the origin is set. */
void http_trust_system(struct http_session *session);
/* Whether another attempt will trust more than the one that failed. */
bool http_trust_more(struct http_session *session);

/* What libcurl calls with each line of a head, and with the bytes of a body. */
size_t http_on_header(char *line, size_t size, size_t count, void *user);
size_t http_on_body(char *data, size_t size, size_t count, void *user);

/* Works until the head is complete. */
int http_wait_head(struct http_session *session, struct mkrootfs_error *error);
/* Works until there are bytes of the body, or its end. */
int http_wait_body(struct http_session *session, struct mkrootfs_error *error);

/* Says why the exchange ended with a result other than CURLE_OK. Returns a negative status. */
int http_set_failure(struct http_session *session, struct mkrootfs_error *error);

#endif
