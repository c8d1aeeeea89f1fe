/* SPDX-License-Identifier: Apache-2.0 */
#include "token.h"

#include "../base/jval.h"
#include "refusal.h"

#include <stdlib.h>
#include <string.h>

#define BODY_MAX_SIZE (1u << 20) /* bytes of the answer */
#define URL_MAX_SIZE (16u << 10)

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
						  url_host_is_loopback(origin.host))))
		return 0;
	return error_set(error, MKROOTFS_ERROR_DENIED,
			 "%s sends to '%.200s' for a token: plain http to that host is refused",
			 registry->host, realm);
}

static int build_url(struct buf *out, const struct token_request *request,
		     struct mkrootfs_error *error)
{
	const struct challenge *challenge = request->challenge;
	const char *separator = strchr(challenge->realm, '?') ? "&" : "?";
	struct buf scope = BUF_INIT(URL_MAX_SIZE);
	int status = buf_append_string(out, challenge->realm, error);

	if (status == 0 && challenge->service[0]) {
		status = buf_printf(out, error, "%sservice=", separator);
		separator = "&";
		if (status == 0)
			status = url_append_encoded(out, challenge->service, error);
	}
	if (status == 0)
		status = buf_printf(&scope, error, "repository:%s:pull", request->repository);
	if (status == 0)
		status = buf_printf(out, error, "%sscope=", separator);
	if (status == 0)
		status = url_append_encoded(out, (const char *)scope.data, error);
	buf_free(&scope);
	return status;
}

static bool is_safe(const char *token)
{
	for (; *token; token++)
		if ((unsigned char)*token <= 0x20 || (unsigned char)*token >= 0x7f)
			return false;
	return true;
}

/* Docker's servers say "token", OAuth 2 ones "access_token"; some say both. */
static int extract(char **out, const struct jval *root, struct mkrootfs_error *error)
{
	const char *token = jval_text(jval_get(root, "token"));

	if (!token || !token[0])
		token = jval_text(jval_get(root, "access_token"));
	if (!token || !token[0])
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "the answer holds no token");
	if (!is_safe(token))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "the token holds bytes that no token may hold");
	*out = strdup(token);
	return *out ? 0 : error_no_memory(error);
}

static int parse_body(char **out, struct source *source, struct mkrootfs_error *error)
{
	struct buf body = BUF_INIT(BODY_MAX_SIZE);
	struct jval *root = NULL;
	int status = source_read_all(&body, source, error);

	if (status == 0)
		status = jval_parse(&root, body.data, body.len, error);
	if (status == 0)
		status = extract(out, root, error);
	jval_free(root);
	buf_free(&body);
	return status;
}

static int ask(char **out, struct client *client, const char *url, struct mkrootfs_error *error)
{
	struct http_request request = { .url = url, .accept = "application/json" };
	struct client_response *response;
	int status = client_get(&response, client, &request, error);

	if (status < 0)
		return status;
	if (response->status == 200)
		status = parse_body(out, &response->body, error);
	else
		status = refusal_error(response, "a token", error);
	source_close(&response->body);
	return status;
}

int token_fetch(char **token, struct client *client, const struct token_request *request,
		struct mkrootfs_error *error)
{
	struct buf url = BUF_INIT(URL_MAX_SIZE);
	int status = check_realm(request, error);

	*token = NULL;
	if (status == 0)
		status = build_url(&url, request, error);
	if (status == 0)
		status = ask(token, client, (const char *)url.data, error);
	buf_free(&url);
	return status < 0 ? error_prefix(error, "token: ") : 0;
}
