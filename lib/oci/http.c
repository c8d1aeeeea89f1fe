/* SPDX-License-Identifier: Apache-2.0 */
#include "http.h"

#include "../io/source.h"
#include "head.h"
#include "sigpipe.h"
#include "url.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BODY_WINDOW (256u << 10)      /* bytes received ahead of the reader */
#define READ_SIZE (128u << 10)	      /* bytes that libcurl reads at once */
#define LOCATION_MAX_SIZE (64u << 10) /* bytes of a redirect's URL */
#define POLL_STEP 1000		      /* milliseconds */
#define DEFAULT_CONNECT_TIMEOUT 30    /* seconds */
#define DEFAULT_IDLE_TIMEOUT 60	      /* seconds */

struct http_session {
	const struct http_options *options;
	CURL *easy;
	CURLM *multi;
	struct curl_slist *headers; /* of the request */
	struct url_origin origin;
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

static time_t monotonic_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* ---- What libcurl calls ---- */

static size_t on_header(char *line, size_t size, size_t count, void *user)
{
	struct http_session *session = user;

	session->active = monotonic_seconds();
	if (head_take_line(&session->head, line, size * count, &session->local) < 0)
		return 0;
	return size * count;
}

static size_t on_body(char *data, size_t size, size_t count, void *user)
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

/* ---- Setting up ---- */

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

static bool add_header(struct http_session *session, const char *name, const char *value)
{
	struct buf line = BUF_INIT(4u << 20);
	struct curl_slist *longer = NULL;

	if (!value)
		return true;
	if (buf_printf(&line, &session->local, "%s: %s", name, value) == 0)
		longer = curl_slist_append(session->headers, (const char *)line.data);
	buf_free(&line);
	if (longer)
		session->headers = longer;
	return longer != NULL;
}

static CURLcode allow_http_only(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/* To stop is not to wait until a name server answers that does not: its thread ends by itself. */
static bool leave_lookups(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075700
	return !curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
	(void)easy;
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
	CURL *easy = session->easy;

	/* Refused while the buffer of an exchange that failed is still there: it has that size. */
	curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)READ_SIZE);
	return allow_http_only(easy) == CURLE_OK &&
	       !curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, connect_timeout(session)) &&
	       !curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) && leave_lookups(easy) &&
	       !curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) &&
	       !curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L) &&
	       !curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) &&
	       !curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) &&
	       !curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L) &&
	       !curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, session->detail);
}

static bool set_authorities(CURL *easy, const struct buf *authorities)
{
	struct curl_blob blob;

	if (!authorities || authorities->len == 0)
		return true;
	/* Not copied: the options outlive the session. */
	blob = (struct curl_blob){ authorities->data, authorities->len, CURL_BLOB_NOCOPY };
	return !curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
}

/* With an empty password, lest the TLS library asks for one on the terminal. */
static bool set_certificate(CURL *easy, const char *certificate, const char *key)
{
	return !certificate || (!curl_easy_setopt(easy, CURLOPT_SSLCERT, certificate) &&
				!curl_easy_setopt(easy, CURLOPT_SSLKEY, key) &&
				!curl_easy_setopt(easy, CURLOPT_KEYPASSWD, ""));
}

/* libcurl built without TLS knows no TLS options; it then refuses https by itself. */
static bool set_tls(struct http_session *session)
{
	const struct http_options *options = session->options;
	CURL *easy = session->easy;

	curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	if (options->insecure) {
		curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	return set_authorities(easy, options->authorities) &&
	       set_certificate(easy, options->certificate, options->key);
}

static bool set_callbacks(struct http_session *session)
{
	CURL *easy = session->easy;

	return !curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header) &&
	       !curl_easy_setopt(easy, CURLOPT_HEADERDATA, session) &&
	       !curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body) &&
	       !curl_easy_setopt(easy, CURLOPT_WRITEDATA, session);
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
	CURL *easy = session->easy;

	if (url_host_is_loopback(session->origin.host) && curl_easy_setopt(easy, CURLOPT_PROXY, ""))
		return false;
	return add_header(session, "Accept", request->accept) &&
	       add_header(session, "Authorization", request->authorization) &&
	       add_range(session, request) &&
	       (!request->form || !curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->form)) &&
	       !curl_easy_setopt(easy, CURLOPT_HTTPHEADER, session->headers) &&
	       !curl_easy_setopt(easy, CURLOPT_USERAGENT, "mkrootfs/" MKROOTFS_VERSION) &&
	       !curl_easy_setopt(easy, CURLOPT_URL, request->url);
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
	if (!set_limits(session) || !set_tls(session) || !set_callbacks(session) ||
	    !set_request(session, request))
		return error_set(error, MKROOTFS_ERROR_NETWORK,
				 "libcurl does not support what a request needs");
	if (curl_multi_add_handle(session->multi, session->easy) != CURLM_OK)
		return error_no_memory(error);
	session->running = true;
	return 0;
}

/* ---- Working ---- */

static int connect_errno(const struct http_session *session)
{
	long value = 0;

	curl_easy_getinfo(session->easy, CURLINFO_OS_ERRNO, &value);
	return (int)value;
}

/* TCP stood, TLS not yet. */
static bool in_handshake(const struct http_session *session)
{
	curl_off_t connected = 0, agreed = 0;

	if (!session->origin.https)
		return false;
	curl_easy_getinfo(session->easy, CURLINFO_CONNECT_TIME_T, &connected);
	curl_easy_getinfo(session->easy, CURLINFO_APPCONNECT_TIME_T, &agreed);
	return connected > 0 && agreed == 0;
}

static enum http_cause_kind kind_of_break(const struct http_session *session)
{
	if (in_handshake(session))
		return HTTP_CAUSE_HANDSHAKE;
	return session->origin.https && session->head.status == 0 ? HTTP_CAUSE_UNANSWERED
								  : HTTP_CAUSE_BROKEN;
}

static enum http_cause_kind kind_of(const struct http_session *session)
{
	switch (session->result) {
	case CURLE_COULDNT_RESOLVE_HOST:
		return HTTP_CAUSE_NAME;
	case CURLE_COULDNT_RESOLVE_PROXY:
		return HTTP_CAUSE_PROXY_NAME;
	case CURLE_COULDNT_CONNECT:
		return HTTP_CAUSE_CONNECT;
	case CURLE_OPERATION_TIMEDOUT:
		return HTTP_CAUSE_TIMEOUT;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_INVALIDCERTSTATUS:
		return HTTP_CAUSE_CERTIFICATE;
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_CERTPROBLEM:
		return HTTP_CAUSE_FILES;
	case CURLE_SSL_CONNECT_ERROR:
		return HTTP_CAUSE_HANDSHAKE;
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
		return kind_of_break(session);
	default:
		return HTTP_CAUSE_OTHER;
	}
}

static int set_cause(struct http_session *session, struct mkrootfs_error *error)
{
	const struct http_cause cause = {
		.kind = kind_of(session),
		.host = session->origin.host,
		.port = session->origin.port,
		.os_errno = connect_errno(session),
		.detail =
			session->detail[0] ? session->detail : curl_easy_strerror(session->result),
	};

	session->failure = http_cause_error(&cause, error);
	return error->status;
}

static int set_failure(struct http_session *session, struct mkrootfs_error *error)
{
	const char *detail = session->detail;

	if (session->local.status == MKROOTFS_ERROR_LIMIT)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "%s: the response's head has %s",
				 session->origin.host, session->local.message);
	if (session->local.status < 0) {
		*error = session->local;
		return error->status;
	}
	if (session->result == CURLE_OUT_OF_MEMORY && !detail[0] && session->head.done)
		return error_no_memory(error);
	/* libcurl says the same of a header line that is longer than it takes. */
	if (session->result == CURLE_OUT_OF_MEMORY && !detail[0])
		return error_set(error, MKROOTFS_ERROR_NETWORK,
				 "%s: a header line is too long, or out of memory",
				 session->origin.host);
	return set_cause(session, error);
}

static void perform(struct http_session *session)
{
	struct sigpipe_hold hold;
	struct CURLMsg *message;
	int count;

	sigpipe_hold(&hold);
	if (session->paused) {
		session->paused = false;
		curl_easy_pause(session->easy, CURLPAUSE_CONT);
	}
	if (curl_multi_perform(session->multi, &count) != CURLM_OK) {
		session->result = CURLE_FAILED_INIT;
		session->running = false;
	}
	while ((message = curl_multi_info_read(session->multi, &count)))
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

/* Works until the head is complete, then until there are bytes of the body or its end. */
static int wait_for(struct http_session *session, bool body, struct mkrootfs_error *error)
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
		curl_multi_poll(session->multi, NULL, 0, POLL_STEP, NULL);
	}
	if (session->result != CURLE_OK)
		return set_failure(session, error);
	if (!body)
		return error_set(error, MKROOTFS_ERROR_NETWORK, "%s: the response has no head",
				 session->origin.host);
	return 0;
}

int http_start(struct http_session *session, const struct http_request *request,
	       struct mkrootfs_error *error)
{
	int status = prepare(session, request, error);

	if (status == 0)
		status = wait_for(session, false, error);
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
	    wait_for(session, true, error) < 0)
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

/* ---- The response ---- */

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
static char *resolve_url(const char *base, const char *location)
{
	CURLU *url = curl_url();
	char *text = NULL;

	if (url && !curl_url_set(url, CURLUPART_URL, base, 0) &&
	    !curl_url_set(url, CURLUPART_URL, location, CURLU_URLENCODE))
		curl_url_get(url, CURLUPART_URL, &text, 0);
	curl_url_cleanup(url);
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
	curl_easy_getinfo(session->easy, CURLINFO_EFFECTIVE_URL, &base);
	url = base ? resolve_url(base, (const char *)location.data) : NULL;
	if (url)
		status = buf_append_string(out, url, error);
	else
		status = error_set(error, MKROOTFS_ERROR_NETWORK,
				   "%s: '%.200s' is no URL of http or https", session->origin.host,
				   (const char *)location.data);
	curl_free(url);
out:
	buf_free(&location);
	return status;
}
