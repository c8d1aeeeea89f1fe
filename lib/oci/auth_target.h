/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a user logs in to: a registry, or a namespace of one.
 *
 *	struct auth_target target;
 *	auth_target_parse(&target, "quay.io/owner", error);
 *	target.key				"quay.io/owner", as auth files have it
 *	target.reference.registry		"quay.io"
 *	target.path				"owner", or empty
 */
#ifndef MKROOTFS_OCI_AUTH_TARGET_H
#define MKROOTFS_OCI_AUTH_TARGET_H

#include "reference.h"

struct auth_target {
	struct reference reference; /* of an image that need not exist, to reach the registry by */
	char path[REFERENCE_REPOSITORY_MAX + 1];
	char key[sizeof(((struct reference *)0)->registry) + REFERENCE_REPOSITORY_MAX + 1];
};

/* A scheme is passed over, and with it the path: "https://index.docker.io/v1/" is docker.io. */
int auth_target_parse(struct auth_target *out, const char *text, struct mkrootfs_error *error);

#endif
