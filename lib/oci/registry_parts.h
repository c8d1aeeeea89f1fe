/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The insides of a registry, for registry*.c alone.
 *
 *	registry_set_up(registry, &options, repository, error);		registry_setup.c
 *	registry_get(&response, registry, &resource, &retry, error);	registry_get.c
 */
#ifndef MKROOTFS_OCI_REGISTRY_PARTS_H
#define MKROOTFS_OCI_REGISTRY_PARTS_H

#include "authorizer.h"
#include "blob_source.h"
#include "endpoint.h"
#include "registry.h"
#include "tls_files.h"

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

/*
 * Fills what registry_close undoes, after a failure too. repository NULL: tokens are asked for
 * without a scope.
 */
int registry_set_up(struct registry *registry, const struct registry_options *options,
		    const char *repository, struct mkrootfs_error *error);
/*
 * A response with status 200, or with one that the reader of a part wants; else an error. A 401 is
 * answered by a new token, once.
 */
int registry_get(struct client_response **out, struct registry *registry,
		 const struct resource *resource, struct retry *retry,
		 struct mkrootfs_error *error);

/* Of struct transport_ops; registry_manifest.c. */
int registry_fetch_manifest(struct transport *transport, struct transport_document *out,
			    const char *tag_or_digest, struct mkrootfs_error *error);

#endif
