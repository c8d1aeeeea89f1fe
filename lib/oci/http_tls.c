/* SPDX-License-Identifier: Apache-2.0 */
#include "http_session.h"

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
bool http_set_tls(struct http_session *session)
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
