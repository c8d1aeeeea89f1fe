/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Authorization header for one repository of a registry. Several threads may use one.
 *
 *	authorizer_create(&a, client, &origin, "library/x", error);
 *	authorizer_copy(&value, a, error);		NULL before the first challenge
 *	... 401 ...
 *	authorizer_renew(&renewed, a, response, error);
 *	authorizer_free(a);
 */
#ifndef MKROOTFS_OCI_AUTHORIZER_H
#define MKROOTFS_OCI_AUTHORIZER_H

#include "client.h"
#include "url.h"

struct authorizer;

/* All pointers are borrowed for the life of the authorizer. */
int authorizer_create(struct authorizer **out, struct client *client,
		      const struct url_origin *registry, const char *repository,
		      struct mkrootfs_error *error);
/* The header's value, the caller's to free, or NULL when none is known to be needed. */
int authorizer_copy(char **out, struct authorizer *authorizer, struct mkrootfs_error *error);
/*
 * Answers a 401 by a new token. *renewed stays false when the response offers no way to get one.
 * A challenge from another server than the registry, behind a redirect, is not answered.
 */
int authorizer_renew(bool *renewed, struct authorizer *authorizer,
		     const struct client_response *response, struct mkrootfs_error *error);
/* NULL is allowed. */
void authorizer_free(struct authorizer *authorizer);

#endif
