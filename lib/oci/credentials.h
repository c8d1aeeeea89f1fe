/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a user is known to a registry, and where that was found.
 *
 *	struct credentials c = { 0 };
 *	credentials_find(&c, &sources, "ghcr.io", "owner/name", error);
 *	if (credentials_known(&c)) ...
 *	credentials_clear(&c);
 *
 * Given ones count alone. Otherwise the files are asked one after the other, each in this order:
 * the helper that it names for the registry (credHelpers), the entry whose key is the closest to
 * the repository (auths), the helper that it names for all (credsStore).
 */
#ifndef MKROOTFS_OCI_CREDENTIALS_H
#define MKROOTFS_OCI_CREDENTIALS_H

#include "../base/error.h"
#include "program.h"

#include <stdbool.h>

struct credentials {
	char *username;	      /* may be there beside an identity token too */
	char *password;	      /* NULL where there is a token */
	char *identity_token; /* a refresh token of OAuth 2, for the registry's token server */
	char *registry_token; /* a bearer token for the registry itself */
	char *source;	      /* for messages: where they are from, "/root/.docker/config.json" */
	char *problem;	      /* for messages: a helper for all that could not be run, or NULL */
};

struct credential_sources {
	const char *username; /* NULL: none are given */
	const char *password;
	struct mkrootfs_string_list files;
	struct program_limits helpers; /* for each run of a helper */
};

/*
 * *out is empty before, and to be cleared in any case; it stays empty when no source knows any.
 * repository is "" when the registry as a whole is meant.
 */
int credentials_find(struct credentials *out, const struct credential_sources *sources,
		     const char *registry, const char *repository, struct mkrootfs_error *error);
bool credentials_known(const struct credentials *credentials);
/* Frees the members, overwrites the secret ones, leaves *credentials empty. */
void credentials_clear(struct credentials *credentials);
/* The value of an Authorization header, "Basic ..."; *out is to be freed by secret_free. */
int credentials_basic(char **out, const char *username, const char *password,
		      struct mkrootfs_error *error);
/* What a server may have quoted in its answer is taken out of a message. */
void credentials_redact(struct mkrootfs_error *error, const struct credentials *credentials);

#endif
