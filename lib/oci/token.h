/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Anonymous bearer tokens, as registries hand them out for public repositories.
 *
 *	struct token_request r = { .challenge = &c, .repository = "library/x", .registry = &o };
 *	token_fetch(&token, client, &r, error);
 *	free(token);
 *
 * The scope is always "repository:NAME:pull", whatever the challenge hints at.
 */
#ifndef MKROOTFS_OCI_TOKEN_H
#define MKROOTFS_OCI_TOKEN_H

#include "challenge.h"
#include "client.h"
#include "url.h"

struct token_request {
	const struct challenge *challenge;
	const char *repository;
	const struct url_origin *registry; /* that sent the challenge */
};

/*
 * Refuses realms but those of https, and of http where the registry itself is asked by plain HTTP
 * and the realm's host is the registry's or loopback. *token is the caller's to free and holds
 * visible ASCII only.
 */
int token_fetch(char **token, struct client *client, const struct token_request *request,
		struct mkrootfs_error *error);

#endif
