/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bearer tokens, as a registry's token server hands them out: to anybody, for a user name and a
 * password, or for an identity token.
 *
 *	struct token_request r = { .challenge = &c, .repository = "library/x", .registry = &o };
 *	token_fetch(&token, client, &r, error);
 *	token_clear(&token);
 *
 * The scope is always "repository:NAME:pull", whatever the challenge hints at.
 */
#ifndef MKROOTFS_OCI_TOKEN_H
#define MKROOTFS_OCI_TOKEN_H

#include "challenge.h"
#include "client.h"
#include "credentials.h"
#include "url.h"

struct token {
	char *text;	   /* visible ASCII */
	unsigned lifetime; /* seconds, from when it was asked for */
};

struct token_request {
	const struct challenge *challenge;
	const char *repository;		       /* NULL: no scope, to see whether a login is good */
	const struct url_origin *registry;     /* that sent the challenge */
	const struct credentials *credentials; /* NULL: none are known */
	/* Hosts of realms besides the registry's; empty: any. */
	struct mkrootfs_string_list hosts;
};

/*
 * Refuses realms but those of https, and of http where the registry itself is asked by plain HTTP
 * and the realm's host is the registry's, or both are loopback. Where there is a list of hosts, it
 * has to be one of those.
 */
int token_fetch(struct token *out, struct client *client, const struct token_request *request,
		struct mkrootfs_error *error);
void token_clear(struct token *token);

#endif
