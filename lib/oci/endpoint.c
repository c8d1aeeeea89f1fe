/* SPDX-License-Identifier: Apache-2.0 */
#include "endpoint.h"

#include <stdio.h>
#include <string.h>

#define ANSWER_MAX (64u << 10) /* bytes read of an answer, to keep its connection */

static int set_base(struct endpoint *endpoint, const char *scheme, struct mkrootfs_error *error)
{
	snprintf(endpoint->base, sizeof(endpoint->base), "%s://%s", scheme, endpoint->server);
	return url_origin_parse(&endpoint->origin, endpoint->base, error);
}

/* Behind the brackets of an IPv6 address, if any. */
static bool has_port(const char *server)
{
	const char *bracket = strrchr(server, ']');

	return strchr(bracket ? bracket : server, ':') != NULL;
}

int endpoint_init(struct endpoint *endpoint, const char *server,
		  const struct mkrootfs_registry_options *settings, struct mkrootfs_error *error)
{
	bool trusted = settings->ca_cert || settings->cert_dir;

	memset(endpoint, 0, sizeof(*endpoint));
	pthread_mutex_init(&endpoint->lock, NULL);
	endpoint->server = server;
	endpoint->has_port = has_port(server);
	if (set_base(endpoint, settings->plain_http ? "http" : "https", error) < 0)
		return error->status;
	endpoint->decided =
		settings->plain_http || (!settings->insecure_tls &&
					 (trusted || !url_host_is_loopback(endpoint->origin.host)));
	return 0;
}

void endpoint_free(struct endpoint *endpoint)
{
	pthread_mutex_destroy(&endpoint->lock);
}

/* Without a port in its name the server may listen on HTTP's alone. */
static bool is_plain(const struct endpoint *endpoint, unsigned failure)
{
	return failure & HTTP_NO_TLS || (failure & HTTP_REFUSED && !endpoint->has_port);
}

/* Whatever is answered, it is answered over TLS. */
static void accept_answer(struct client_response *response)
{
	struct mkrootfs_error ignored;

	source_drain(&response->body, ANSWER_MAX, &ignored);
	source_close(&response->body);
}

static int ask(struct endpoint *endpoint, struct client *client, struct mkrootfs_error *error)
{
	struct http_request request = { .no_redirect = true, .anybody = true };
	struct client_response *response;
	char url[sizeof(endpoint->base) + 8];
	unsigned failure;
	int status;

	snprintf(url, sizeof(url), "%s/v2/", endpoint->base);
	request.url = url;
	status = client_get_once(&response, &failure, client, &request, error);
	if (status < 0 && is_plain(endpoint, failure))
		return set_base(endpoint, "http", error);
	if (status < 0 && failure & HTTP_MAY_PASS)
		status = client_get(&response, client, &request, error);
	if (status == 0)
		accept_answer(response);
	return status;
}

int endpoint_decide(struct endpoint *endpoint, struct client *client, struct mkrootfs_error *error)
{
	int status = 0;

	pthread_mutex_lock(&endpoint->lock);
	if (!endpoint->decided) {
		status = ask(endpoint, client, error);
		endpoint->decided = status == 0;
	}
	pthread_mutex_unlock(&endpoint->lock);
	return status;
}
