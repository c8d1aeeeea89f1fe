/* SPDX-License-Identifier: Apache-2.0 */
#include "token_query.h"

#include <string.h>

#define CLIENT_ID "mkrootfs"

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
	struct buf scope = BUF_INIT(TOKEN_URL_MAX);
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

int token_query_url(struct buf *out, const struct token_request *request,
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

int token_query_form(struct buf *out, const struct token_request *request,
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
