/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Docker's credential helpers: programs docker-credential-NAME that keep passwords elsewhere.
 *
 *	struct credential_helper helper = { .name = "pass", .file = "/root/.docker/config.json" };
 *
 *	credential_helper_get(&username, &secret, &helper, "ghcr.io", error);
 *	credential_helper_store(&helper, "ghcr.io", "bob", "secret", error);
 *	credential_helper_erase(&erased, &helper, "ghcr.io", error);
 *
 * Protocol: the action is the argument, the server (or a JSON object) is standard input. Docker Hub
 * is known to helpers as https://index.docker.io/v1/, everything else by its host.
 */
#ifndef MKROOTFS_OCI_CREDENTIAL_HELPER_H
#define MKROOTFS_OCI_CREDENTIAL_HELPER_H

#include "program.h"

#include <stdbool.h>

struct credential_helper {
	const char *name;
	const char *file; /* that names it, for messages */
	struct program_limits limits;
};

/* The user of a secret that is an identity token. */
#define CREDENTIAL_HELPER_TOKEN_USER "<token>"

/*
 * Both are NULL when the helper knows none; the secret is to be freed by secret_free. NOT_FOUND:
 * there is no such program.
 */
int credential_helper_get(char **username, char **secret, const struct credential_helper *helper,
			  const char *registry, struct mkrootfs_error *error);
int credential_helper_store(const struct credential_helper *helper, const char *registry,
			    const char *username, const char *secret, struct mkrootfs_error *error);
/* *erased is false when there was nothing. */
int credential_helper_erase(bool *erased, const struct credential_helper *helper,
			    const char *registry, struct mkrootfs_error *error);

#endif
