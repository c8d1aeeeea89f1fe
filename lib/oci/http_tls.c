/* SPDX-License-Identifier: Apache-2.0 */
#include "http_session.h"

static bool set_authorities(struct http_session *session, const struct buf *authorities)
{
	struct curl_blob blob;

	if (!authorities || authorities->len == 0) {
		if (session->origin.https)
			http_trust_system(session);
		return true;
	}
	/* Not copied: the options outlive the session. */
	blob = (struct curl_blob){ authorities->data, authorities->len, CURL_BLOB_NOCOPY };
	return !http_setopt(session, CURLOPT_CAINFO_BLOB, &blob);
}

/*
 * Without authorities: libcurl would read and parse all of the system's, which takes half as long
 * as to load libcurl itself.
 */
static void trust_anybody(const struct http_session *session)
{
	http_setopt(session, CURLOPT_SSL_VERIFYPEER, 0L);
	http_setopt(session, CURLOPT_SSL_VERIFYHOST, 0L);
	http_setopt(session, CURLOPT_CAINFO, (char *)NULL);
	http_setopt(session, CURLOPT_CAPATH, (char *)NULL);
}

/* With an empty password, lest the TLS library asks for one on the terminal. */
static bool set_certificate(const struct http_session *session, const char *certificate,
			    const char *key)
{
	return !certificate || (!http_setopt(session, CURLOPT_SSLCERT, certificate) &&
				!http_setopt(session, CURLOPT_SSLKEY, key) &&
				!http_setopt(session, CURLOPT_KEYPASSWD, ""));
}

/* libcurl built without TLS knows no TLS options; it then refuses https by itself. */
bool http_set_tls(struct http_session *session, const struct http_request *request)
{
	const struct http_options *options = session->options;

	http_setopt(session, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	if (request->anybody)
		http_setopt(session, CURLOPT_FORBID_REUSE, 1L);
	if (options->insecure || request->anybody)
		trust_anybody(session);
	else if (!set_authorities(session, options->authorities))
		return false;
	return set_certificate(session, options->certificate, options->key);
}
