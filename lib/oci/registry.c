/* SPDX-License-Identifier: Apache-2.0 */
#include "registry.h"

#include "../base/secret.h"
#include "authorizer.h"
#include "refusal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACCEPT_MANIFESTS \
	MEDIA_OCI_INDEX ", " MEDIA_OCI_MANIFEST ", " MEDIA_DOCKER_LIST ", " MEDIA_DOCKER_MANIFEST

#define UNWANTED_MAX (64u << 10) /* bytes read of a body that nobody wants */

struct registry {
	struct transport transport;
	struct reference reference;
	struct client *client;
	char base[320]; /* "https://registry-1.docker.io" */
	struct url_origin origin;
	struct authorizer *authorizer;
};

/* What is asked for: a path below /v2/NAME/, and words for messages. */
struct resource {
	char path[REFERENCE_NAME_MAX + 32];
	char what[512];
	const char *accept;
};

/* ---- Requests ---- */

/* *used is the Authorization that was sent, to be freed by secret_free. */
static int get_once(struct client_response **out, char **used, struct registry *registry,
		    const struct resource *resource, struct mkrootfs_error *error)
{
	struct buf url = BUF_INIT(8192);
	struct http_request request = { .accept = resource->accept };
	int status;

	*out = NULL;
	secret_free(*used);
	status = authorizer_copy(used, registry->authorizer, error);
	if (status == 0)
		status = buf_printf(&url, error, "%s/v2/%s/%s", registry->base,
				    registry->reference.repository, resource->path);
	if (status == 0) {
		request.url = (const char *)url.data;
		request.authorization = *used;
		status = client_get(out, registry->client, &request, error);
	}
	buf_free(&url);
	return status;
}

static int renew_and_retry(struct client_response **response, char **used,
			   struct registry *registry, const struct resource *resource,
			   struct mkrootfs_error *error)
{
	struct mkrootfs_error ignored;
	bool renewed;
	int status = authorizer_renew(&renewed, registry->authorizer, *response, *used, error);

	if (!renewed)
		return status;
	/* To its end, so that its connection can carry the next request. */
	source_drain(&(*response)->body, UNWANTED_MAX, &ignored);
	source_close(&(*response)->body);
	return get_once(response, used, registry, resource, error);
}

/* A response with status 200, or an error. A 401 is answered by a new token, once. */
static int get(struct client_response **out, struct registry *registry,
	       const struct resource *resource, struct mkrootfs_error *error)
{
	struct client_response *response;
	char *used = NULL;
	int status = get_once(&response, &used, registry, resource, error);

	*out = NULL;
	if (status == 0 && response->status == 401)
		status = renew_and_retry(&response, &used, registry, resource, error);
	secret_free(used);
	if (status < 0)
		error_prefix(error, "%s: ", resource->what);
	else if (response->status != 200)
		status = refusal_error(response, resource->what, error);
	if (status < 0)
		authorizer_explain(registry->authorizer, error);
	if (status == 0)
		*out = response;
	else if (response)
		source_close(&response->body);
	return status;
}

static int read_manifest(struct transport_document *out, struct client_response *response,
			 struct mkrootfs_error *error)
{
	struct buf type = BUF_INIT(64u << 10);
	int status = client_header(&type, response, "Content-Type", error);

	if (status == 0)
		media_type_from_header(out->media_type, type.len ? (const char *)type.data : "");
	buf_free(&type);
	return status < 0 ? status : source_read_all(&out->bytes, &response->body, error);
}

static int registry_fetch_manifest(struct transport *transport, struct transport_document *out,
				   const char *tag_or_digest, struct mkrootfs_error *error)
{
	struct registry *registry = (struct registry *)transport;
	const struct reference *reference = &registry->reference;
	struct resource resource = { .accept = ACCEPT_MANIFESTS };
	struct client_response *response;
	char digest[DIGEST_TEXT_SIZE];
	int status;

	if (reference->has_digest)
		digest_format(digest, &reference->digest);
	if (tag_or_digest)
		snprintf(resource.what, sizeof(resource.what), "manifest %.100s/%.200s %.150s",
			 reference->registry, reference->repository, tag_or_digest);
	else
		snprintf(resource.what, sizeof(resource.what), "image %.400s", reference->text);
	if (!tag_or_digest)
		tag_or_digest = reference->has_digest ? digest : reference->tag;
	snprintf(resource.path, sizeof(resource.path), "manifests/%s", tag_or_digest);
	status = get(&response, registry, &resource, error);
	if (status < 0)
		return status;
	status = read_manifest(out, response, error);
	if (status < 0)
		error_prefix(error, "%s: ", resource.what);
	source_close(&response->body);
	return status;
}

static int registry_open_blob(struct transport *transport, struct source **out,
			      const struct descriptor *descriptor, uint64_t offset,
			      struct mkrootfs_error *error)
{
	struct registry *registry = (struct registry *)transport;
	struct client_response *response;
	struct resource resource = { .accept = NULL };
	char digest[DIGEST_TEXT_SIZE];
	int status;

	*out = NULL;
	if (offset > 0)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED, "a part of a blob");
	digest_format(digest, &descriptor->digest);
	snprintf(resource.path, sizeof(resource.path), "blobs/%s", digest);
	snprintf(resource.what, sizeof(resource.what), "blob %.100s/%.200s %s",
		 registry->reference.registry, registry->reference.repository, digest);
	status = get(&response, registry, &resource, error);
	if (status == 0)
		*out = &response->body;
	return status;
}

static void registry_close(struct transport *transport)
{
	struct registry *registry = (struct registry *)transport;

	authorizer_free(registry->authorizer);
	client_free(registry->client);
	free(registry);
}

static const struct transport_ops registry_ops = {
	registry_fetch_manifest,
	registry_open_blob,
	registry_close,
};

/* ---- Setting up ---- */

/* Docker Hub's registry has another name than its images. */
static const char *server_of(const struct reference *reference)
{
	return strcmp(reference->registry, "docker.io") ? reference->registry
							: "registry-1.docker.io";
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text);

	return len >= strlen(end) && !strcmp(text + len - strlen(end), end);
}

static int choose_base(struct registry *registry, const struct registry_options *options,
		       struct mkrootfs_error *error)
{
	const char *server = server_of(&registry->reference);
	struct url_origin *origin = &registry->origin;

	snprintf(registry->base, sizeof(registry->base), "https://%s", server);
	if (url_origin_parse(origin, registry->base, error) < 0)
		return error->status;
	if (options->settings.plain_http ||
	    (url_host_is_loopback(origin->host) && !options->settings.ca_cert &&
	     !ends_with(server, ":443")))
		snprintf(registry->base, sizeof(registry->base), "http://%s", server);
	return url_origin_parse(origin, registry->base, error);
}

static int create_client(struct registry *registry, const struct registry_options *options,
			 struct mkrootfs_error *error)
{
	const struct mkrootfs_registry_options *settings = &options->settings;
	const struct client_options client = {
		.http = { .ca_file = settings->ca_cert,
			  .connect_timeout = settings->connect_timeout,
			  .idle_timeout = settings->idle_timeout,
			  .wait = options->wait,
			  .wait_user = options->wait_user },
		.plain_http = settings->plain_http != 0,
	};

	return client_create(&registry->client, &client, error);
}

static int create_authorizer(struct registry *registry, const struct registry_options *options,
			     struct mkrootfs_error *error)
{
	const struct mkrootfs_registry_options *settings = &options->settings;
	const struct authorizer_options authorizer = {
		.client = registry->client,
		.registry = &registry->origin,
		.base = registry->base,
		.name = registry->reference.registry,
		.repository = registry->reference.repository,
		.credentials = { .username = settings->username,
				 .password = settings->password,
				 .files = settings->auth_files,
				 .helpers = { .wait = options->wait,
					      .wait_user = options->wait_user } },
	};

	return authorizer_create(&registry->authorizer, &authorizer, error);
}

int registry_open(struct transport **out, const struct reference *reference,
		  const struct registry_options *options, struct mkrootfs_error *error)
{
	struct registry *registry = calloc(1, sizeof(*registry));
	int status;

	*out = NULL;
	if (!registry)
		return error_no_memory(error);
	registry->transport.ops = &registry_ops;
	registry->reference = *reference;
	status = choose_base(registry, options, error);
	if (status == 0)
		status = create_client(registry, options, error);
	if (status == 0)
		status = create_authorizer(registry, options, error);
	if (status == 0)
		*out = &registry->transport;
	else
		registry_close(&registry->transport);
	return status;
}
