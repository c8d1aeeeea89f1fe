/* SPDX-License-Identifier: Apache-2.0 */
#include "token.h"

#include "../base/jval.h"
#include "../base/secret.h"
#include "refusal.h"

#define BODY_MAX_SIZE (1u << 20) /* bytes of the answer */
#define URL_MAX_SIZE (16u << 10)
#define FORM_MAX_SIZE (256u << 10)
#define DEFAULT_LIFETIME 60    /* seconds, as the token specification says */
#define LONGEST_LIFETIME 86400 /* seconds */
#define CLIENT_ID "mkrootfs"

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
	if (origin.https || (!registry->https && (!strcmp(origin.host, registry->host) ||
						  (url_host_is_loopback(origin.host) &&
						   url_host_is_loopback(registry->host)))))
		return 0;
	error_set(error, MKROOTFS_ERROR_DENIED,
		  "%s sends to '%.200s' for a token: plain http to that host is refused",
		  registry->host, realm);
	return error_advise(error, "the registry has to name a token server of https");
}

/* ---- What is asked ---- */

/* Appends "&name=value", with '?' where it is the first of a URL; nothing for an empty value. */
static int add(struct buf *out, const char *name, const char *value, struct mkrootfs_error *error)
{
	bool first = !out->len ||
		     (!strncmp((char *)out->data, "http", 4) && !strchr((char *)out->data, '?'));

	if (!value || !*value)
		return 0;
	if (out->len && buf_append_string(out, first ? "?" : "&", error) < 0)
		return error->status;
	if (buf_printf(out, error, "%s=", name) < 0)
		return error->status;
	return url_append_encoded(out, value, error);
}

static int add_scope(struct buf *out, const struct token_request *request,
		     struct mkrootfs_error *error)
{
	struct buf scope = BUF_INIT(URL_MAX_SIZE);
	int status;

	if (!request->repository)
		return 0;
	status = buf_printf(&scope, error, "repository:%s:pull", request->repository);
	if (status == 0)
		status = add(out, "scope", (const char *)scope.data, error);
	buf_free(&scope);
	return status;
}

static const char *account_of(const struct token_request *request)
{
	return request->credentials ? request->credentials->username : NULL;
}

static int build_url(struct buf *out, const struct token_request *request,
		     struct mkrootfs_error *error)
{
	const struct challenge *challenge = request->challenge;
	int status = buf_append_string(out, challenge->realm, error);

	if (status == 0)
		status = add(out, "service", challenge->service, error);
	if (status == 0)
		status = add_scope(out, request, error);
	return status < 0 ? status : add(out, "account", account_of(request), error);
}

/* OAuth 2 (RFC 6749), as docker's token specification uses it. */
static int build_form(struct buf *out, const struct token_request *request,
		      struct mkrootfs_error *error)
{
	const struct credentials *credentials = request->credentials;
	bool refresh = credentials->identity_token != NULL;

	if (add(out, "grant_type", refresh ? "refresh_token" : "password", error) < 0 ||
	    add(out, "service", request->challenge->service, error) < 0 ||
	    add(out, "client_id", CLIENT_ID, error) < 0 || add_scope(out, request, error) < 0)
		return error->status;
	if (refresh)
		return add(out, "refresh_token", credentials->identity_token, error);
	if (add(out, "username", credentials->username, error) < 0)
		return error->status;
	return add(out, "password", credentials->password, error);
}

/* ---- What comes ---- */

static bool is_safe(const char *token)
{
	for (; *token; token++)
		if ((unsigned char)*token <= 0x20 || (unsigned char)*token >= 0x7f)
			return false;
	return true;
}

static unsigned lifetime_of(const struct jval *root)
{
	int64_t seconds;

	if (!jval_integer(&seconds, jval_get(root, "expires_in")) || seconds <= 0)
		return DEFAULT_LIFETIME;
	return seconds < LONGEST_LIFETIME ? (unsigned)seconds : LONGEST_LIFETIME;
}

/* Docker's servers say "token", OAuth 2 ones "access_token"; some say both. */
static int extract(struct token *out, const struct jval *root, struct mkrootfs_error *error)
{
	const char *token = jval_text(jval_get(root, "token"));

	if (!token || !token[0])
		token = jval_text(jval_get(root, "access_token"));
	if (!token || !token[0])
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "the answer holds no token");
	if (!is_safe(token))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "the token holds bytes that no token may hold");
	out->lifetime = lifetime_of(root);
	out->text = strdup(token);
	return out->text ? 0 : error_no_memory(error);
}

static int parse_body(struct token *out, struct source *source, struct mkrootfs_error *error)
{
	struct buf body = BUF_INIT(BODY_MAX_SIZE);
	struct jval *root = NULL;
	int status = source_read_all(&body, source, error);

	if (status == 0)
		status = jval_parse_secret(&root, body.data, body.len, error);
	if (status == 0)
		status = extract(out, root, error);
	jval_wipe(root);
	buf_wipe(&body);
	return status;
}

/* *refused: the server does not know this method. */
static int ask(struct token *out, bool *refused, struct client *client,
	       const struct http_request *request, struct mkrootfs_error *error)
{
	struct client_response *response;
	int status = client_get(&response, client, request, error);

	*refused = false;
	if (status < 0)
		return status;
	*refused = response->status == 404 || response->status == 405;
	if (response->status == 200)
		status = parse_body(out, &response->body, error);
	else
		status = refusal_error(response, "a token", error);
	source_close(&response->body);
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
	struct buf url = BUF_INIT(URL_MAX_SIZE);
	char *basic = NULL;
	int status = build_url(&url, request, error);

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
	struct buf form = BUF_INIT(FORM_MAX_SIZE);
	int status = build_form(&form, request, error);

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
