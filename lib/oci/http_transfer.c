/* SPDX-License-Identifier: Apache-2.0 */
#include "http_session.h"

#include "sigpipe.h"

#define POLL_STEP 1000		/* milliseconds */
#define DEFAULT_IDLE_TIMEOUT 60 /* seconds */

static time_t monotonic_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

size_t http_on_header(char *line, size_t size, size_t count, void *user)
{
	struct http_session *session = user;

	session->active = monotonic_seconds();
	if (head_take_line(&session->head, line, size * count, &session->local) < 0)
		return 0;
	return size * count;
}

size_t http_on_body(char *data, size_t size, size_t count, void *user)
{
	struct http_session *session = user;
	size_t len = size * count;

	session->active = monotonic_seconds();
	if (session->body.len > 0 && session->body.len + len > BODY_WINDOW) {
		session->paused = true;
		return CURL_WRITEFUNC_PAUSE;
	}
	if (buf_append(&session->body, data, len, &session->local) < 0)
		return 0;
	return len;
}

static void perform(struct http_session *session)
{
	struct sigpipe_hold hold;
	struct CURLMsg *message;
	int count;

	sigpipe_hold(&hold);
	if (session->paused) {
		session->paused = false;
		session->curl->easy_pause(session->easy, CURLPAUSE_CONT);
	}
	if (session->curl->multi_perform(session->multi, &count) != CURLM_OK) {
		session->result = CURLE_FAILED_INIT;
		session->running = false;
	}
	while ((message = session->curl->multi_info_read(session->multi, &count)))
		if (message->msg == CURLMSG_DONE) {
			session->result = message->data.result;
			session->running = false;
		}
	sigpipe_release(&hold);
}

static int check_idle(struct http_session *session, struct mkrootfs_error *error)
{
	unsigned limit = session->options->idle_timeout;

	if (limit == 0)
		limit = DEFAULT_IDLE_TIMEOUT;
	if (monotonic_seconds() - session->active <= (time_t)limit)
		return 0;
	http_stop(session);
	session->result = CURLE_OPERATION_TIMEDOUT;
	session->failure = HTTP_MAY_PASS;
	error_set(error, MKROOTFS_ERROR_NETWORK, "%s: no byte came for %u seconds",
		  session->origin.host, limit);
	return error_advise(error, "the server may be overloaded: try again later");
}

static int check_cancelled(struct http_session *session, struct mkrootfs_error *error)
{
	const struct http_options *options = session->options;

	if (!options->wait || !options->wait(options->wait_user))
		return 0;
	http_stop(session);
	session->result = CURLE_ABORTED_BY_CALLBACK;
	return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
}

/* Until there is what was asked for, or the exchange ended well. */
static int work(struct http_session *session, bool body, struct mkrootfs_error *error)
{
	session->active = monotonic_seconds();
	for (;;) {
		perform(session);
		if (body ? session->body.len > 0 : session->head.done)
			return 0;
		if (!session->running)
			break;
		if (check_idle(session, error) < 0 || check_cancelled(session, error) < 0)
			return error->status;
		session->curl->multi_poll(session->multi, NULL, 0, POLL_STEP, NULL);
	}
	return session->result == CURLE_OK ? 0 : http_set_failure(session, error);
}

int http_wait_head(struct http_session *session, struct mkrootfs_error *error)
{
	int status = work(session, false, error);

	if (status == 0 && !session->head.done)
		return error_set(error, MKROOTFS_ERROR_NETWORK, "%s: the response has no head",
				 session->origin.host);
	return status;
}

int http_wait_body(struct http_session *session, struct mkrootfs_error *error)
{
	return work(session, true, error);
}
