/* SPDX-License-Identifier: Apache-2.0 */
#include "registry.h"

#include "../base/secret.h"
#include "authorizer.h"
#include "blob_source.h"
#include "endpoint.h"
#include "head.h"
#include "refusal.h"
#include "tls_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ACCEPT_MANIFESTS \
	MEDIA_OCI_INDEX ", " MEDIA_OCI_MANIFEST ", " MEDIA_DOCKER_LIST ", " MEDIA_DOCKER_MANIFEST

#define UNWANTED_MAX (64u << 10) /* bytes read of a body that nobody wants */

struct registry {
	struct transport transport;
	struct reference reference;
	struct client *client;
	struct tls_files files;
	struct endpoint endpoint;
	struct authorizer *authorizer;
};

/* What is asked for: a path below /v2/NAME/, and words for messages. */
struct resource {
	char path[REFERENCE_NAME_MAX + 32];
	char what[512];
	const char *accept;
	struct blob_range range;
	bool whole; /* the registry itself, /v2/ */
};

/* ---- Requests ---- */

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

/* A response with status 200, or an error. A 401 is answered by a new token, once. */
static int get(struct client_response **out, struct registry *registry,
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

/* ---- Manifests ---- */

/*
 * A registry tells the digest of what it sends. Where both differ, something on the way has changed
 * it. Signatures of schema 1 do not count to its digest, and it is refused later anyway.
 */
static int check_told_digest(const struct transport_document *document,
			     const struct client_response *response, struct mkrootfs_error *error)
{
	struct buf header = BUF_INIT(HEAD_MAX_SIZE);
	struct digest told, actual;
	struct mkrootfs_error ignored;
	char text[DIGEST_TEXT_SIZE];
	int status = client_header(&header, response, "Docker-Content-Digest", error);
	bool is_told = status == 0 && header.len > 0 &&
		       media_type_kind(document->media_type) != MEDIA_KIND_SCHEMA1 &&
		       digest_parse(&told, (const char *)header.data, &ignored) == 0;

	buf_free(&header);
	if (!is_told)
		return status;
	status = digest_of(&actual, told.algorithm, document->bytes.data, document->bytes.len,
			   error);
	if (status < 0 || digest_equal(&told, &actual))
		return status;
	digest_format(text, &told);
	return error_set(error, MKROOTFS_ERROR_DIGEST,
			 "the content is not what %s says it sends: it has not the digest %s",
			 response->host, text);
}

static int read_manifest(struct transport_document *out, struct client_response *response,
			 struct mkrootfs_error *error)
{
	struct buf type = BUF_INIT(HEAD_MAX_SIZE);
	int status = client_header(&type, response, "Content-Type", error);

	if (status == 0)
		media_type_from_header(out->media_type, type.len ? (const char *)type.data : "");
	buf_free(&type);
	if (status == 0)
		status = source_read_all(&out->bytes, &response->body, error);
	return status < 0 ? status : check_told_digest(out, response, error);
}

/* One attempt; *again: it failed, and may be tried again. */
static int try_manifest(struct transport_document *out, bool *again, struct registry *registry,
			const struct resource *resource, struct retry *retry,
			struct mkrootfs_error *error)
{
	struct client_response *response;
	int status = get(&response, registry, resource, retry, error);

	*again = false;
	if (status < 0)
		return status;
	status = read_manifest(out, response, error);
	if (status < 0) {
		error_prefix(error, "%s: ", resource->what);
		*again = client_may_pass(response) && retry_is_left(retry, RETRY_AFTER_UNKNOWN);
	}
	source_close(&response->body);
	return status;
}

static int get_manifest(struct transport_document *out, struct registry *registry,
			const struct resource *resource, struct mkrootfs_error *error)
{
	struct retry retry;
	bool again;
	int status;

	retry_begin(&retry, client_retry_policy(registry->client), resource->path);
	do {
		buf_clear(&out->bytes);
		status = try_manifest(out, &again, registry, resource, &retry, error);
		if (again) {
			const struct mkrootfs_error reason = *error;

			status = retry_wait(&retry, RETRY_AFTER_UNKNOWN, reason.message, error);
		}
	} while (again && status == 0);
	return status;
}

static int registry_fetch_manifest(struct transport *transport, struct transport_document *out,
				   const char *tag_or_digest, struct mkrootfs_error *error)
{
	struct registry *registry = (struct registry *)transport;
	const struct reference *reference = &registry->reference;
	struct resource resource = { .accept = ACCEPT_MANIFESTS };
	char digest[DIGEST_TEXT_SIZE];

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
	return get_manifest(out, registry, &resource, error);
}

/* ---- Blobs ---- */

static int open_range(struct client_response **out, void *user, const struct digest *digest,
		      const struct blob_range *range, struct retry *retry,
		      struct mkrootfs_error *error)
{
	struct registry *registry = user;
	struct resource resource = { .range = *range };
	char text[DIGEST_TEXT_SIZE];

	digest_format(text, digest);
	snprintf(resource.path, sizeof(resource.path), "blobs/%s", text);
	snprintf(resource.what, sizeof(resource.what), "blob %.100s/%.200s %s",
		 registry->reference.registry, registry->reference.repository, text);
	return get(out, registry, &resource, retry, error);
}

static int registry_open_blob(struct transport *transport, struct source **out,
			      const struct descriptor *descriptor, uint64_t offset,
			      struct mkrootfs_error *error)
{
	struct registry *registry = (struct registry *)transport;
	const struct blob_options options = { .open = open_range,
					      .user = registry,
					      .digest = descriptor->digest,
					      .size = (uint64_t)descriptor->size,
					      .offset = offset,
					      .retry = client_retry_policy(registry->client) };

	return source_blob(out, &options, error);
}

static void registry_close(struct transport *transport)
{
	struct registry *registry = (struct registry *)transport;

	authorizer_free(registry->authorizer);
	client_free(registry->client);
	endpoint_free(&registry->endpoint);
	tls_files_free(&registry->files);
	free(registry);
}

static const struct transport_ops registry_ops = {
	registry_fetch_manifest,
	registry_open_blob,
	registry_close,
	NULL,
};

/* ---- Setting up ---- */

/* Docker Hub's registry has another name than its images. */
static const char *server_of(const struct reference *reference)
{
	return strcmp(reference->registry, "docker.io") ? reference->registry
							: "registry-1.docker.io";
}

/* Those of the system stay trusted beside those that are given. */
static int load_files(struct registry *registry, const struct mkrootfs_registry_options *settings,
		      struct mkrootfs_error *error)
{
	struct tls_files *files = &registry->files;
	int status = tls_files_load(files, settings->ca_cert, settings->cert_dir, error);

	if (status == 0 && files->authorities.len > 0)
		status = http_system_authorities(&files->authorities, error);
	return status;
}

static unsigned retry_limit(const struct mkrootfs_registry_options *settings)
{
	if (settings->retries == 0)
		return RETRY_DEFAULT_LIMIT;
	return settings->retries < 0 ? 0 : (unsigned)settings->retries;
}

/* So that processes that one failure hit at once do not come back at once. */
static uint64_t clock_seed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int create_client(struct registry *registry, const struct registry_options *options,
			 struct mkrootfs_error *error)
{
	const struct mkrootfs_registry_options *settings = &options->settings;
	const struct client_options client = {
		.http = { .authorities = &registry->files.authorities,
			  .certificate = registry->files.certificate,
			  .key = registry->files.key,
			  .insecure = settings->insecure_tls != 0,
			  .connect_timeout = settings->connect_timeout,
			  .idle_timeout = settings->idle_timeout,
			  .wait = options->wait,
			  .wait_user = options->wait_user },
		.plain_http = settings->plain_http != 0,
		.retry = { .limit = retry_limit(settings),
			   .delay = options->retry_delay,
			   .seed = options->seed ? options->seed : clock_seed(),
			   .tick = options->wait,
			   .tick_user = options->wait_user,
			   .tell = options->warn,
			   .tell_user = options->warn_user },
	};

	return client_create(&registry->client, &client, error);
}

static int create_authorizer(struct registry *registry, const struct registry_options *options,
			     const char *repository, struct mkrootfs_error *error)
{
	const struct mkrootfs_registry_options *settings = &options->settings;
	const struct authorizer_options authorizer = {
		.client = registry->client,
		.registry = &registry->endpoint.origin,
		.base = registry->endpoint.base,
		.name = registry->reference.registry,
		.repository = repository,
		.credentials = { .username = settings->username,
				 .password = settings->password,
				 .files = settings->auth_files,
				 .helpers = { .wait = options->wait,
					      .wait_user = options->wait_user } },
	};

	return authorizer_create(&registry->authorizer, &authorizer, error);
}

static void warn_of_no_checks(const struct registry *registry,
			      const struct registry_options *options)
{
	char text[512];

	if (!options->settings.insecure_tls || options->settings.plain_http || !options->warn)
		return;
	snprintf(text, sizeof(text),
		 "the certificates of %s are not checked: whoever is in between can read and "
		 "change what is sent",
		 registry->reference.registry);
	options->warn(options->warn_user, text);
}

/* repository NULL: tokens are asked for without a scope. */
static int open_registry(struct registry **out, const struct reference *reference,
			 const struct registry_options *options, const char *repository,
			 struct mkrootfs_error *error)
{
	struct registry *registry = calloc(1, sizeof(*registry));
	int status;

	*out = NULL;
	if (!registry)
		return error_no_memory(error);
	registry->transport.ops = &registry_ops;
	registry->reference = *reference;
	status = endpoint_init(&registry->endpoint, server_of(&registry->reference),
			       &options->settings, error);
	if (status == 0)
		status = load_files(registry, &options->settings, error);
	if (status == 0)
		status = create_client(registry, options, error);
	if (status == 0)
		status = create_authorizer(registry, options, repository, error);
	if (status == 0) {
		warn_of_no_checks(registry, options);
		*out = registry;
	} else
		registry_close(&registry->transport);
	return status;
}

int registry_open(struct transport **out, const struct reference *reference,
		  const struct registry_options *options, struct mkrootfs_error *error)
{
	struct registry *registry;
	int status = open_registry(&registry, reference, options, reference->repository, error);

	*out = registry ? &registry->transport : NULL;
	return status;
}

int registry_check_login(bool *checked, const struct reference *reference,
			 const struct registry_options *options, struct mkrootfs_error *error)
{
	struct resource resource = { .whole = true };
	struct client_response *response;
	struct registry *registry;
	struct retry retry;
	char *used = NULL;
	int status = open_registry(&registry, reference, options, NULL, error);

	*checked = false;
	if (status < 0)
		return status;
	snprintf(resource.what, sizeof(resource.what), "registry %.200s", reference->registry);
	retry_begin(&retry, client_retry_policy(registry->client), "/v2/");
	status = get(&response, registry, &resource, &retry, error);
	if (status == 0)
		source_close(&response->body);
	if (status == 0)
		status = authorizer_copy(&used, registry->authorizer, error);
	*checked = used != NULL;
	secret_free(used);
	registry_close(&registry->transport);
	return status;
}
