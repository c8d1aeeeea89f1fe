/* SPDX-License-Identifier: Apache-2.0 */
#include "http_session.h"

#include "../io/source.h"
#include "sigpipe.h"

#include <stdlib.h>
#include <string.h>

#if LIBCURL_VERSION_NUM >= 0x075400
static int append_authorities(struct buf *out, const struct http_curl *curl,
			      struct mkrootfs_error *error)
{
	struct mkrootfs_error ignored;
	struct source *source = NULL;
	CURL *easy = curl->easy_init();
	char *path = NULL;
	int status = 0;

	if (easy && curl->easy_getinfo(easy, CURLINFO_CAINFO, &path) == CURLE_OK && path &&
	    source_file(&source, path, &ignored) == 0)
		status = source_read_all(out, source, error);
	source_close(source);
	curl->easy_cleanup(easy);
	return status;
}
#endif

int http_system_authorities(struct buf *out, struct mkrootfs_error *error)
{
#if LIBCURL_VERSION_NUM >= 0x075400
	struct http_curl *curl;
	int status = http_curl_load(&curl, error);

	if (status == 0)
		status = append_authorities(out, curl, error);
	http_curl_free(curl);
	return status;
#else
	(void)out, (void)error;
	return 0;
#endif
}

int http_session_create(struct http_session **out, const struct http_curl *curl,
			const struct http_options *options, struct mkrootfs_error *error)
{
	struct http_session *session = calloc(1, sizeof(*session));

	*out = NULL;
	if (!session)
		return error_no_memory(error);
	session->curl = curl;
	session->options = options;
	head_init(&session->head);
	session->body = BUF_INIT(2 * BODY_WINDOW);
	session->easy = curl->easy_init();
	session->multi = curl->multi_init();
	if (!session->easy || !session->multi) {
		http_session_free(session);
		return error_no_memory(error);
	}
	*out = session;
	return 0;
}

static int prepare(struct http_session *session, const struct http_request *request,
		   struct mkrootfs_error *error)
{
	http_stop(session);
	session->failure = 0;
	if (url_origin_parse(&session->origin, request->url, error) < 0)
		return error->status;
	session->curl->easy_reset(session->easy);
	head_clear(&session->head);
	session->paused = false;
	session->result = CURLE_OK;
	session->detail[0] = '\0';
	memset(&session->local, 0, sizeof(session->local));
	if (!http_set_up(session, request))
		return error_set(error, MKROOTFS_ERROR_NETWORK,
				 "libcurl does not support what a request needs");
	if (session->curl->multi_add_handle(session->multi, session->easy) != CURLM_OK)
		return error_no_memory(error);
	session->running = true;
	return 0;
}

static int attempt(struct http_session *session, const struct http_request *request,
		   struct mkrootfs_error *error)
{
	int status = prepare(session, request, error);

	if (status == 0)
		status = http_wait_head(session, error);
	if (status < 0)
		http_stop(session);
	return status;
}

int http_start(struct http_session *session, const struct http_request *request,
	       struct mkrootfs_error *error)
{
	int status = attempt(session, request, error);

	/* Before anything was sent: the connection was not accepted. */
	if (status < 0 && http_trust_more(session))
		status = attempt(session, request, error);
	return status;
}

int http_next(struct http_session *session, const uint8_t **data, size_t *len,
	      struct mkrootfs_error *error)
{
	*data = NULL;
	*len = 0;
	/* What came with the head is lent first; what was lent before is over. */
	if (session->lent) {
		buf_clear(&session->body);
		session->lent = false;
	}
	if (session->body.len == 0 && (session->running || session->result != CURLE_OK) &&
	    http_wait_body(session, error) < 0)
		return error->status;
	*data = session->body.data;
	*len = session->body.len;
	session->lent = true;
	return 0;
}

void http_stop(struct http_session *session)
{
	struct sigpipe_hold hold;

	sigpipe_hold(&hold);
	session->curl->multi_remove_handle(session->multi, session->easy);
	sigpipe_release(&hold);
	session->curl->slist_free_all(session->headers);
	session->headers = NULL;
	session->running = session->lent = false;
	buf_clear(&session->body);
}

void http_session_free(struct http_session *session)
{
	struct sigpipe_hold hold;

	if (!session)
		return;
	http_stop(session);
	sigpipe_hold(&hold);
	session->curl->easy_cleanup(session->easy);
	session->curl->multi_cleanup(session->multi);
	sigpipe_release(&hold);
	head_free(&session->head);
	buf_free(&session->body);
	free(session);
}
