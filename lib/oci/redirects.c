/* SPDX-License-Identifier: Apache-2.0 */
#include "redirects.h"

#define REDIRECT_MAX 10
#define URL_MAX_SIZE (64u << 10) /* bytes of a redirect's URL */
#define DISCARD_MAX (64u << 10)	 /* bytes read of an unwanted body to keep its connection */

struct hop {
	struct http_request request;
	struct url_origin origin;
	struct buf url; /* of a redirect; request.url points into it */
	unsigned count;
};

static bool is_redirect(int status)
{
	return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static int check_redirect(const struct hop *hop, const struct url_origin *to, bool plain_http,
			  struct mkrootfs_error *error)
{
	if (hop->count >= REDIRECT_MAX)
		return error_set(error, MKROOTFS_ERROR_NETWORK, "%s: more than %d redirects",
				 hop->origin.host, REDIRECT_MAX);
	if (hop->origin.https && !to->https && !plain_http)
		return error_set(error, MKROOTFS_ERROR_NETWORK,
				 "%s: from https to plain http is refused", hop->origin.host);
	return 0;
}

static void discard_body(struct http_session *session)
{
	struct mkrootfs_error ignored;
	const uint8_t *data;
	size_t len, total = 0;

	do {
		if (http_next(session, &data, &len, &ignored) < 0)
			return;
		total += len;
	} while (len > 0 && total < DISCARD_MAX);
}

/* Makes hop the redirect that session got, and *more true; false: the response is final. */
static int follow(bool *more, struct hop *hop, struct http_session *session, bool plain_http,
		  struct mkrootfs_error *error)
{
	struct buf url = BUF_INIT(URL_MAX_SIZE);
	struct url_origin origin;
	int status = 0;

	*more = false;
	/* What a form holds is meant for the one server alone. */
	if (is_redirect(http_status(session)) && !hop->request.form && !hop->request.no_redirect)
		status = http_redirect_url(&url, session, error);
	if (status == 0 && url.len > 0) {
		status = url_origin_parse(&origin, (const char *)url.data, error);
		if (status == 0)
			status = check_redirect(hop, &origin, plain_http, error);
	}
	if (status < 0 || url.len == 0) {
		buf_free(&url);
		return status < 0 ? error_prefix(error, "redirect: ") : 0;
	}
	discard_body(session);
	if (!url_origin_equal(&origin, &hop->origin))
		hop->request.authorization = NULL;
	buf_free(&hop->url);
	hop->url = url;
	hop->request.url = (const char *)url.data;
	hop->origin = origin;
	hop->count++;
	*more = true;
	return 0;
}

static int exchange(struct http_session *session, struct hop *hop, bool plain_http,
		    struct mkrootfs_error *error)
{
	bool more;

	do {
		if (http_start(session, &hop->request, error) < 0 ||
		    follow(&more, hop, session, plain_http, error) < 0)
			return error->status;
	} while (more);
	return 0;
}

int redirects_follow(struct redirects_end *end, struct http_session *session,
		     const struct http_request *request, bool plain_http,
		     struct mkrootfs_error *error)
{
	struct hop hop = { .request = *request };
	struct url_origin first;
	int status = url_origin_parse(&first, request->url, error);

	hop.origin = first;
	if (status == 0)
		status = exchange(session, &hop, plain_http, error);
	if (status == 0) {
		end->origin = hop.origin;
		end->same_origin = url_origin_equal(&first, &hop.origin);
	}
	buf_free(&hop.url);
	return status;
}
