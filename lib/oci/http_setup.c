/* SPDX-License-Identifier: Apache-2.0 */
#include "http_session.h"

#include <inttypes.h>
#include <stdio.h>

#define READ_SIZE (128u << 10)	   /* bytes that libcurl reads at once */
#define DEFAULT_CONNECT_TIMEOUT 30 /* seconds */

static CURLcode allow_http_only(const struct http_session *session)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	return http_setopt(session, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	return http_setopt(session, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/* To stop is not to wait until a name server answers that does not: its thread ends by itself. */
static bool leave_lookups(const struct http_session *session)
{
#if LIBCURL_VERSION_NUM >= 0x075700
	return !http_setopt(session, CURLOPT_QUICK_EXIT, 1L);
#else
	(void)session;
	return true;
#endif
}

static long connect_timeout(const struct http_session *session)
{
	unsigned seconds = session->options->connect_timeout;

	return seconds ? (long)seconds : DEFAULT_CONNECT_TIMEOUT;
}

static bool set_limits(struct http_session *session)
{
	/* Refused while the buffer of an exchange that failed is still there: it has that size. */
	http_setopt(session, CURLOPT_BUFFERSIZE, (long)READ_SIZE);
	return allow_http_only(session) == CURLE_OK &&
	       !http_setopt(session, CURLOPT_CONNECTTIMEOUT, connect_timeout(session)) &&
	       !http_setopt(session, CURLOPT_NOSIGNAL, 1L) && leave_lookups(session) &&
	       !http_setopt(session, CURLOPT_FOLLOWLOCATION, 0L) &&
	       !http_setopt(session, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L) &&
	       !http_setopt(session, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) &&
	       !http_setopt(session, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) &&
	       !http_setopt(session, CURLOPT_TCP_KEEPALIVE, 1L) &&
	       !http_setopt(session, CURLOPT_ERRORBUFFER, session->detail);
}

static bool set_callbacks(struct http_session *session)
{
	return !http_setopt(session, CURLOPT_HEADERFUNCTION, http_on_header) &&
	       !http_setopt(session, CURLOPT_HEADERDATA, session) &&
	       !http_setopt(session, CURLOPT_WRITEFUNCTION, http_on_body) &&
	       !http_setopt(session, CURLOPT_WRITEDATA, session);
}

static bool add_header(struct http_session *session, const char *name, const char *value)
{
	struct buf line = BUF_INIT(4u << 20);
	struct curl_slist *longer = NULL;

	if (!value)
		return true;
	if (buf_printf(&line, &session->local, "%s: %s", name, value) == 0)
		longer = session->curl->slist_append(session->headers, (const char *)line.data);
	buf_free(&line);
	if (longer)
		session->headers = longer;
	return longer != NULL;
}

/* "Range: bytes=N-", and If-Range with it. */
static bool add_range(struct http_session *session, const struct http_request *request)
{
	char range[40];

	if (request->offset == 0)
		return true;
	snprintf(range, sizeof(range), "bytes=%" PRIu64 "-", request->offset);
	return add_header(session, "Range", range) &&
	       add_header(session, "If-Range", request->if_range);
}

static bool set_request(struct http_session *session, const struct http_request *request)
{
	if (url_host_is_loopback(session->origin.host) && http_setopt(session, CURLOPT_PROXY, ""))
		return false;
	return add_header(session, "Accept", request->accept) &&
	       add_header(session, "Authorization", request->authorization) &&
	       add_range(session, request) &&
	       (!request->form || !http_setopt(session, CURLOPT_POSTFIELDS, request->form)) &&
	       !http_setopt(session, CURLOPT_HTTPHEADER, session->headers) &&
	       !http_setopt(session, CURLOPT_USERAGENT, "mkrootfs/" MKROOTFS_VERSION) &&
	       !http_setopt(session, CURLOPT_URL, request->url);
}

bool http_set_up(struct http_session *session, const struct http_request *request)
{
	return set_limits(session) && http_set_tls(session, request) && set_callbacks(session) &&
	       set_request(session, request);
}
