/* SPDX-License-Identifier: Apache-2.0 */
#include "registry_parts.h"

#include "../base/secret.h"
#include "refusal.h"

#define UNWANTED_MAX (64u << 10) /* bytes read of a body that nobody wants */

/* *used is the Authorization that was sent, to be freed by secret_free. */
static int get_once(struct client_response **out, char **used, struct registry *registry,
		    const struct resource *resource, struct retry *retry,
		    struct mkrootfs_error *error)
{
	struct buf url = BUF_INIT(8192);
	struct http_request request = { .accept = resource->accept,
					.offset = resource->range.offset,
					.if_range = resource->range.if_range };
	int status = endpoint_decide(&registry->endpoint, registry->client, error);

	*out = NULL;
	secret_free(*used);
	*used = NULL;
	if (status == 0)
		status = authorizer_copy(used, registry->authorizer, error);
	if (status == 0 && resource->whole)
		status = buf_printf(&url, error, "%s/v2/", registry->endpoint.base);
	else if (status == 0)
		status = buf_printf(&url, error, "%s/v2/%s/%s", registry->endpoint.base,
				    registry->reference.repository, resource->path);
	if (status == 0) {
		request.url = (const char *)url.data;
		request.authorization = *used;
		status = client_get_counted(out, registry->client, &request, retry, error);
	}
	buf_free(&url);
	return status;
}

static int renew_and_retry(struct client_response **response, char **used,
			   struct registry *registry, const struct resource *resource,
			   struct retry *retry, struct mkrootfs_error *error)
{
	struct mkrootfs_error ignored;
	bool renewed;
	int status = authorizer_renew(&renewed, registry->authorizer, *response, *used, error);

	if (!renewed)
		return status;
	/* To its end, so that its connection can carry the next request. */
	source_drain(&(*response)->body, UNWANTED_MAX, &ignored);
	source_close(&(*response)->body);
	*response = NULL;
	return get_once(response, used, registry, resource, retry, error);
}

/* A part was asked for: its reader knows what to make of these. */
static bool is_wanted(const struct client_response *response, const struct resource *resource)
{
	if (resource->range.offset > 0 && (response->status == 206 || response->status == 416))
		return true;
	return response->status == 200;
}

int registry_get(struct client_response **out, struct registry *registry,
		 const struct resource *resource, struct retry *retry, struct mkrootfs_error *error)
{
	struct client_response *response;
	char *used = NULL;
	int status = get_once(&response, &used, registry, resource, retry, error);

	*out = NULL;
	if (status == 0 && response->status == 401)
		status = renew_and_retry(&response, &used, registry, resource, retry, error);
	secret_free(used);
	if (status < 0)
		error_prefix(error, "%s: ", resource->what);
	else if (!is_wanted(response, resource))
		status = refusal_error(response, resource->what, error);
	if (status < 0)
		authorizer_explain(registry->authorizer, error);
	if (status == 0)
		*out = response;
	else if (response)
		source_close(&response->body);
	return status;
}
