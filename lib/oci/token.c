/* SPDX-License-Identifier: Apache-2.0 */
#include "token.h"

#include "../base/secret.h"
#include "refusal.h"
#include "token_answer.h"
#include "token_query.h"

#include <string.h>
#include <strings.h>

/* Names of hosts have no case. */
static bool is_allowed(const struct token_request *request, const char *host)
{
	bool allowed = request->hosts.count == 0 || !strcmp(host, request->registry->host);

	for (size_t i = 0; !allowed && i < request->hosts.count; i++)
		allowed = !strcasecmp(host, request->hosts.items[i]);
	return allowed;
}

static int check_realm(const struct token_request *request, struct mkrootfs_error *error)
{
	const char *realm = request->challenge->realm;
	const struct url_origin *registry = request->registry;
	struct url_origin origin;

	if (url_origin_parse(&origin, realm, error) < 0)
		return error_prefix(error, "token realm: ");
	if (strchr(realm, '#'))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "token realm '%.200s' has a fragment", realm);
	if (!is_allowed(request, origin.host)) {
		error_set(error, MKROOTFS_ERROR_DENIED,
			  "%s sends to '%.200s' for a token: that host is not one of those allowed",
			  registry->host, realm);
		return error_advise(error, "allow it by --token-host, if you trust it");
	}
	if (origin.https || (!registry->https && (!strcmp(origin.host, registry->host) ||
						  (url_host_is_loopback(origin.host) &&
						   url_host_is_loopback(registry->host)))))
		return 0;
	error_set(error, MKROOTFS_ERROR_DENIED,
		  "%s sends to '%.200s' for a token: plain http to that host is refused",
		  registry->host, realm);
	return error_advise(error, "the registry has to name a token server of https");
}

/* *again: the answer broke off, and may be asked for again. */
static int try_once(struct token *out, bool *refused, bool *again, struct client *client,
		    const struct http_request *request, struct retry *retry,
		    struct mkrootfs_error *error)
{
	struct client_response *response;
	int status = client_get_counted(&response, client, request, retry, error);

	*again = false;
	if (status < 0)
		return status;
	*refused = response->status == 404 || response->status == 405;
	if (response->status == 200) {
		status = token_answer_read(out, &response->body, error);
		*again = status < 0 && client_may_pass(response) &&
			 retry_is_left(retry, RETRY_AFTER_UNKNOWN);
	} else {
		status = refusal_error(response, "a token", error);
	}
	source_close(&response->body);
	return status;
}

/* *refused: the server does not know this method. */
static int ask(struct token *out, bool *refused, struct client *client,
	       const struct http_request *request, struct mkrootfs_error *error)
{
	struct retry retry;
	bool again;
	int status;

	*refused = false;
	retry_begin(&retry, client_retry_policy(client), request->url);
	do {
		status = try_once(out, refused, &again, client, request, &retry, error);
		if (again) {
			const struct mkrootfs_error reason = *error;

			status = retry_wait(&retry, RETRY_AFTER_UNKNOWN, reason.message, error);
		}
	} while (again && status == 0);
	return status;
}

/* An identity token in the place of a password, where only GET is known. */
static int format_basic(char **out, const struct credentials *credentials,
			struct mkrootfs_error *error)
{
	const char *username = credentials->username;

	*out = NULL;
	if (!credentials->identity_token)
		return credentials_basic(out, username, credentials->password, error);
	return credentials_basic(out, username && *username ? username : "<token>",
				 credentials->identity_token, error);
}

static int ask_by_get(struct token *out, bool *refused, struct client *client,
		      const struct token_request *request, struct mkrootfs_error *error)
{
	struct http_request get = { .accept = "application/json" };
	struct buf url = BUF_INIT(TOKEN_URL_MAX);
	char *basic = NULL;
	int status = token_query_url(&url, request, error);

	*refused = false;
	if (status == 0 && request->credentials)
		status = format_basic(&basic, request->credentials, error);
	if (status == 0) {
		get.url = (const char *)url.data;
		get.authorization = basic;
		status = ask(out, refused, client, &get, error);
	}
	secret_free(basic);
	buf_free(&url);
	return status;
}

static int ask_by_post(struct token *out, bool *refused, struct client *client,
		       const struct token_request *request, struct mkrootfs_error *error)
{
	struct http_request post = { .url = request->challenge->realm,
				     .accept = "application/json" };
	struct buf form = BUF_INIT(TOKEN_FORM_MAX);
	int status = token_query_form(&form, request, error);

	*refused = false;
	if (status == 0) {
		post.form = (const char *)form.data;
		status = ask(out, refused, client, &post, error);
	}
	buf_wipe(&form);
	return status;
}

/* Docker's first protocol is GET, that of identity tokens is POST; servers know one or both. */
static int ask_both(struct token *out, struct client *client, const struct token_request *request,
		    struct mkrootfs_error *error)
{
	bool refused;
	int status;

	if (request->credentials && request->credentials->identity_token) {
		status = ask_by_post(out, &refused, client, request, error);
		return refused ? ask_by_get(out, &refused, client, request, error) : status;
	}
	status = ask_by_get(out, &refused, client, request, error);
	return refused && request->credentials ? ask_by_post(out, &refused, client, request, error)
					       : status;
}

int token_fetch(struct token *out, struct client *client, const struct token_request *request,
		struct mkrootfs_error *error)
{
	int status = check_realm(request, error);

	*out = (struct token){ .text = NULL };
	if (status == 0)
		status = ask_both(out, client, request, error);
	return status < 0 ? error_prefix(error, "token: ") : 0;
}

void token_clear(struct token *token)
{
	secret_free(token->text);
	token->text = NULL;
}
