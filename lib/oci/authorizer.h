/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Authorization header for one repository of a registry. Several threads may use one: they wait
 * for each other's tokens, and share them.
 *
 *	authorizer_create(&a, &options, error);
 *	authorizer_copy(&value, a, error);		NULL before the first challenge
 *	... 401 ...
 *	authorizer_renew(&renewed, a, response, value, error);
 *	... 401 again ...
 *	return authorizer_explain(a, error);
 *	authorizer_free(a);
 *
 * Credentials are looked up when the first header is wanted. Where some are known, the registry's
 * /v2/ is asked for its challenge first, since registries that are open to all may hide behind a
 *404 what only a user may see. They are sent to nobody but the registry, and to a token server that
 * it names and that token.h accepts.
 */
#ifndef MKROOTFS_OCI_AUTHORIZER_H
#define MKROOTFS_OCI_AUTHORIZER_H

#include "client.h"
#include "credentials.h"
#include "url.h"

struct authorizer;

/* All pointers are borrowed for the life of the authorizer. */
struct authorizer_options {
	struct client *client;
	const struct url_origin *registry;
	const char *base;	/* its URL, "https://registry-1.docker.io" */
	const char *name;	/* that users know it by, "docker.io" */
	const char *repository; /* NULL: the registry as a whole */
	struct credential_sources credentials;
	struct mkrootfs_string_list token_hosts; /* see struct token_request */
};

int authorizer_create(struct authorizer **out, const struct authorizer_options *options,
		      struct mkrootfs_error *error);
/* The header's value, to be freed by secret_free, or NULL when none is known to be needed. */
int authorizer_copy(char **out, struct authorizer *authorizer, struct mkrootfs_error *error);
/*
 * Answers a 401 to a request that was sent with the value used (NULL: without) by a new value.
 * *renewed stays false when there is no way to get one. A challenge from another server than the
 * registry, behind a redirect, is not answered.
 */
int authorizer_renew(bool *renewed, struct authorizer *authorizer,
		     const struct client_response *response, const char *used,
		     struct mkrootfs_error *error);
/*
 * Adds to a DENIED as whom the registry was asked, and what the user can do; takes out of any error
 * what a server quoted of the credentials. Returns the status of the error.
 */
int authorizer_explain(struct authorizer *authorizer, struct mkrootfs_error *error);
/* NULL is allowed. */
void authorizer_free(struct authorizer *authorizer);

#endif
