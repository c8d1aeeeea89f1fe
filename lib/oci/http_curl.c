/* SPDX-License-Identifier: Apache-2.0 */
#include "http_session.h"

#include "../base/library.h"

#include <pthread.h>
#include <stdlib.h>

LIBRARY_NOTE(MKROOTFS_CURL, "registries", "Images and logins of registries", "recommended");

#define NAME(name) "curl_" #name,

/*
 * libcurl counts who initialised it. It is never told the end, so that a host program which uses it
 * is not disturbed. Before 7.84 two threads must not begin at once.
 */
static CURLcode begin(const struct http_curl *curl)
{
	static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
	CURLcode code;

	pthread_mutex_lock(&one_at_a_time);
	code = curl->global_init(CURL_GLOBAL_DEFAULT);
	pthread_mutex_unlock(&one_at_a_time);
	return code;
}

int http_curl_load(struct http_curl **out, struct mkrootfs_error *error)
{
	static const char *const names[] = { HTTP_CURL_FUNCTIONS(NAME) NULL };
	static const struct library libcurl = {
		MKROOTFS_CURL,
		names,
		"registries are asked by libcurl: install it (the package is libcurl4 in Debian, "
		"libcurl in "
		"Fedora)",
	};
	struct http_curl *curl = calloc(1, sizeof(*curl));
	CURLcode code;
	int status;

	*out = NULL;
	if (!curl)
		return error_no_memory(error);
	status = library_load(curl, &libcurl, error);
	code = status == 0 ? begin(curl) : CURLE_OK;
	if (code != CURLE_OK)
		status = error_set(error, MKROOTFS_ERROR_NETWORK, "libcurl: %s",
				   curl->easy_strerror(code));
	if (status < 0)
		free(curl);
	else
		*out = curl;
	return status;
}

void http_curl_free(struct http_curl *curl)
{
	free(curl);
}
