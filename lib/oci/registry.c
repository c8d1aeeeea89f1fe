/* SPDX-License-Identifier: Apache-2.0 */
#include "registry_parts.h"

#include "../base/secret.h"

#include <stdio.h>
#include <stdlib.h>

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
	return registry_get(out, registry, &resource, retry, error);
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
	status = registry_set_up(registry, options, repository, error);
	if (status == 0)
		*out = registry;
	else
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
	status = registry_get(&response, registry, &resource, &retry, error);
	if (status == 0)
		source_close(&response->body);
	if (status == 0)
		status = authorizer_copy(&used, registry->authorizer, error);
	*checked = used != NULL;
	secret_free(used);
	registry_close(&registry->transport);
	return status;
}
