/* SPDX-License-Identifier: Apache-2.0 */
#include "http_session.h"

#define LOCATION_MAX_SIZE (64u << 10) /* bytes of a redirect's URL */

int http_status(const struct http_session *session)
{
	return session->head.status;
}

unsigned http_failure(const struct http_session *session)
{
	return session->failure;
}

int http_header(struct buf *out, const struct http_session *session, const char *name,
		struct mkrootfs_error *error)
{
	return head_values(out, &session->head, name, error);
}

int64_t http_retry_after(const struct http_session *session)
{
	struct buf value = BUF_INIT(HEAD_MAX_SIZE), date = BUF_INIT(HEAD_MAX_SIZE);
	struct mkrootfs_error ignored;
	int64_t seconds = RETRY_AFTER_UNKNOWN;

	if (http_header(&value, session, "Retry-After", &ignored) == 0 &&
	    http_header(&date, session, "Date", &ignored) == 0)
		seconds = retry_after_seconds((const char *)value.data, (const char *)date.data);
	buf_free(&value);
	buf_free(&date);
	return seconds;
}

/* base with location put onto it, as RFC 3986 resolves references; NULL when that is no URL. */
static char *resolve_url(const struct http_curl *curl, const char *base, const char *location)
{
	CURLU *url = curl->url();
	char *text = NULL;

	if (url && !curl->url_set(url, CURLUPART_URL, base, 0) &&
	    !curl->url_set(url, CURLUPART_URL, location, CURLU_URLENCODE))
		curl->url_get(url, CURLUPART_URL, &text, 0);
	curl->url_cleanup(url);
	return text;
}

int http_redirect_url(struct buf *out, const struct http_session *session,
		      struct mkrootfs_error *error)
{
	struct buf location = BUF_INIT(LOCATION_MAX_SIZE);
	char *base = NULL, *url;
	int status = http_header(&location, session, "Location", error);

	if (status < 0 || location.len == 0)
		goto out;
	session->curl->easy_getinfo(session->easy, CURLINFO_EFFECTIVE_URL, &base);
	url = base ? resolve_url(session->curl, base, (const char *)location.data) : NULL;
	if (url)
		status = buf_append_string(out, url, error);
	else
		status = error_set(error, MKROOTFS_ERROR_NETWORK,
				   "%s: '%.200s' is no URL of http or https", session->origin.host,
				   (const char *)location.data);
	session->curl->free(url);
out:
	buf_free(&location);
	return status;
}
