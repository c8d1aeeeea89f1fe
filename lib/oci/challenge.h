/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The WWW-Authenticate header of a registry (RFC 9110, section 11.6.1).
 *
 *	struct challenge c;
 *	if (challenge_parse(&c, header, error) < 0) ...
 *	if (c.bearer) ask(c.realm, c.service); else if (c.basic) ...
 */
#ifndef MKROOTFS_OCI_CHALLENGE_H
#define MKROOTFS_OCI_CHALLENGE_H

#include "../base/error.h"

#include <stdbool.h>

struct challenge {
	bool bearer; /* there is a Bearer challenge; what follows is from the first one */
	bool basic;  /* there is a Basic challenge */
	char realm[2048];
	char service[512]; /* empty: none given */
	char scope[1024];  /* what the server hints at; never used to ask */
	char error[128];   /* "insufficient_scope" and the like, or empty */
};

/*
 * header may hold several challenges, as several header lines joined by commas do. Unknown schemes
 * and parameters are passed over. Fails with MALFORMED where the grammar is broken.
 */
int challenge_parse(struct challenge *out, const char *header, struct mkrootfs_error *error);

#endif
