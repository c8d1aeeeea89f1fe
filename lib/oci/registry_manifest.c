/* SPDX-License-Identifier: Apache-2.0 */
#include "registry_parts.h"

#include "head.h"

#include <stdio.h>
#include <string.h>

#define ACCEPT_MANIFESTS \
	MEDIA_OCI_INDEX ", " MEDIA_OCI_MANIFEST ", " MEDIA_DOCKER_LIST ", " MEDIA_DOCKER_MANIFEST

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
	int status = registry_get(&response, registry, resource, retry, error);

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

int registry_fetch_manifest(struct transport *transport, struct transport_document *out,
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
