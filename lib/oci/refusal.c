/* SPDX-License-Identifier: Apache-2.0 */
#include "refusal.h"

#include "../base/jval.h"
#include "head.h"
#include "http_cause.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BODY_MAX_SIZE (64u << 10) /* bytes of an error's body */
#define WORDS_SIZE 320

/* " (CODE: message)" from {"errors":[{"code":..,"message":..}]}, or nothing. */
static void format_words(char words[WORDS_SIZE], const struct jval *root)
{
	const struct jval *first = jval_at(jval_get(root, "errors"), 0);
	const char *code = jval_text(jval_get(first, "code"));
	const char *message = jval_text(jval_get(first, "message"));

	if (code || message)
		snprintf(words, WORDS_SIZE, " (%.60s%s%.200s)", code ? code : "",
			 code && message ? ": " : "", message ? message : "");
}

/* Go's servers give no type at all to some errors. */
static bool is_plain_text(const struct client_response *response)
{
	struct buf type = BUF_INIT(HEAD_MAX_SIZE);
	struct mkrootfs_error ignored;
	bool plain = client_header(&type, response, "Content-Type", &ignored) == 0 &&
		     (!type.len || !strncmp((const char *)type.data, "text/plain", 10));

	buf_free(&type);
	return plain;
}

/* " (first line)": "Client sent an HTTP request to an HTTPS server." tells all. */
static void format_line(char words[WORDS_SIZE], const char *text)
{
	size_t len = strcspn(text, "\r\n");

	if (len > 0)
		snprintf(words, WORDS_SIZE, " (%.*s)", (int)(len < 200 ? len : 200), text);
}

static void read_words(char words[WORDS_SIZE], struct client_response *response)
{
	struct buf body = BUF_INIT(BODY_MAX_SIZE);
	struct mkrootfs_error ignored;
	struct jval *root = NULL;

	words[0] = '\0';
	if (source_read_all(&body, &response->body, &ignored) < 0 || body.len == 0)
		goto out;
	if (jval_parse(&root, body.data, body.len, &ignored) == 0)
		format_words(words, root);
	else if (is_plain_text(response))
		format_line(words, (const char *)body.data);
	jval_free(root);
out:
	buf_free(&body);
}

static int limit_error(struct client_response *response, const char *what, const char *words,
		       struct mkrootfs_error *error)
{
	int64_t after = client_retry_after(response);

	error_set(error, MKROOTFS_ERROR_RATE_LIMIT,
		  "%s limits how often it may be asked, at %s: HTTP 429%s", response->host, what,
		  words);
	if (after > 0)
		return error_advise(error, "try again in %" PRId64 " seconds", after);
	return error_advise(error,
			    "try again later; many registries allow more to who is logged in");
}

static int server_error(struct client_response *response, const char *what, const char *words,
			struct mkrootfs_error *error)
{
	int64_t after = client_retry_after(response);

	error_set(error, MKROOTFS_ERROR_NETWORK, "%s failed at %s: HTTP %d%s", response->host, what,
		  response->status, words);
	if (after > 0)
		return error_advise(error, "try again in %" PRId64 " seconds", after);
	if (response->status >= 500)
		return error_advise(error, "the registry has a problem: try again later");
	return error->status;
}

int refusal_error(struct client_response *response, const char *what, struct mkrootfs_error *error)
{
	char words[WORDS_SIZE];

	read_words(words, response);
	switch (response->status) {
	case 401:
	case 403:
		return error_set(error, MKROOTFS_ERROR_DENIED,
				 "%s denies access to %s, or there is no such repository: "
				 "HTTP %d%s",
				 response->host, what, response->status, words);
	case 404:
		error_set(error, MKROOTFS_ERROR_NOT_FOUND, "no %s: HTTP 404%s", what, words);
		if (!strncmp(what, "blob ", 5))
			return error_advise(error, "the registry has the image without a part of "
						   "it: it must be pushed there again");
		return error_advise(error, "check the name; many registries hide private ones "
					   "from who is not logged in");
	case 407:
		error_set(error, MKROOTFS_ERROR_DENIED, "the proxy denies access to %s: HTTP 407%s",
			  what, words);
		return error_advise(error, HTTP_PROXY_USER_ADVICE);
	case 429:
		return limit_error(response, what, words, error);
	default:
		return server_error(response, what, words, error);
	}
}
