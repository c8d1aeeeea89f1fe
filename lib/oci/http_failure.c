/* SPDX-License-Identifier: Apache-2.0 */
#include "http_session.h"

static int connect_errno(const struct http_session *session)
{
	long value = 0;

	session->curl->easy_getinfo(session->easy, CURLINFO_OS_ERRNO, &value);
	return (int)value;
}

/* TCP stood, TLS not yet. */
static bool in_handshake(const struct http_session *session)
{
	curl_off_t connected = 0, agreed = 0;

	if (!session->origin.https)
		return false;
	session->curl->easy_getinfo(session->easy, CURLINFO_CONNECT_TIME_T, &connected);
	session->curl->easy_getinfo(session->easy, CURLINFO_APPCONNECT_TIME_T, &agreed);
	return connected > 0 && agreed == 0;
}

static enum http_cause_kind kind_of_break(const struct http_session *session)
{
	if (in_handshake(session))
		return HTTP_CAUSE_HANDSHAKE;
	return session->origin.https && session->head.status == 0 ? HTTP_CAUSE_UNANSWERED
								  : HTTP_CAUSE_BROKEN;
}

/* Those of options: what libcurl cannot use is then theirs, not the system's. */
static bool has_authorities(const struct http_session *session)
{
	const struct buf *authorities = session->options->authorities;

	return authorities && authorities->len > 0;
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
		return has_authorities(session) ? HTTP_CAUSE_FILES : HTTP_CAUSE_NO_SYSTEM;
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
		.detail = session->detail[0] ? session->detail
					     : session->curl->easy_strerror(session->result),
	};

	session->failure = http_cause_error(&cause, error);
	return error->status;
}

int http_set_failure(struct http_session *session, struct mkrootfs_error *error)
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
