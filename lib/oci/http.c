/* SPDX-License-Identifier: Apache-2.0 */
#include "http_session.h"

#include "../io/source.h"
#include "sigpipe.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static CURLcode global_result = CURLE_FAILED_INIT;

static void init_global(void)
{
	global_result = curl_global_init(CURL_GLOBAL_DEFAULT);
}

static int require_curl(struct mkrootfs_error *error)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, init_global);
	if (global_result == CURLE_OK)
		return 0;
	return error_set(error, MKROOTFS_ERROR_NETWORK, "libcurl: %s",
			 curl_easy_strerror(global_result));
}

int http_system_authorities(struct buf *out, struct mkrootfs_error *error)
{
#if LIBCURL_VERSION_NUM >= 0x075400
	struct mkrootfs_error ignored;
	struct source *source = NULL;
	char *path = NULL;
	CURL *easy;
	int status = require_curl(error);

	if (status < 0)
		return status;
	easy = curl_easy_init();
	if (easy && curl_easy_getinfo(easy, CURLINFO_CAINFO, &path) == CURLE_OK && path &&
	    source_file(&source, path, &ignored) == 0)
		status = source_read_all(out, source, error);
	source_close(source);
	curl_easy_cleanup(easy);
	return status;
#else
	(void)out, (void)error;
	return 0;
#endif
}

int http_session_create(struct http_session **out, const struct http_options *options,
			struct mkrootfs_error *error)
{
	struct http_session *session;

	*out = NULL;
	if (require_curl(error) < 0)
		return error->status;
	session = calloc(1, sizeof(*session));
	if (!session)
		return error_no_memory(error);
	session->options = options;
	head_init(&session->head);
	session->body = BUF_INIT(2 * BODY_WINDOW);
	session->easy = curl_easy_init();
	session->multi = curl_multi_init();
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
	curl_easy_reset(session->easy);
	head_clear(&session->head);
	session->paused = false;
	session->result = CURLE_OK;
	session->detail[0] = '\0';
	memset(&session->local, 0, sizeof(session->local));
	if (!http_set_up(session, request))
		return error_set(error, MKROOTFS_ERROR_NETWORK,
				 "libcurl does not support what a request needs");
	if (curl_multi_add_handle(session->multi, session->easy) != CURLM_OK)
		return error_no_memory(error);
	session->running = true;
	return 0;
}

int http_start(struct http_session *session, const struct http_request *request,
	       struct mkrootfs_error *error)
{
	int status = prepare(session, request, error);

	if (status == 0)
		status = http_wait_head(session, error);
	if (status < 0)
		http_stop(session);
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
	curl_multi_remove_handle(session->multi, session->easy);
	sigpipe_release(&hold);
	curl_slist_free_all(session->headers);
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
	curl_easy_cleanup(session->easy);
	curl_multi_cleanup(session->multi);
	sigpipe_release(&hold);
	head_free(&session->head);
	buf_free(&session->body);
	free(session);
}
