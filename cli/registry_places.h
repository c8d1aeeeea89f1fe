/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of registry options: what was given, and where the configuration and the certificates of
 * registries are, when no option says.
 *
 *	struct registry_places places;
 *	registry_places_fill(&options.registry, &places, &invocation->arguments);
 *
 * The default files are those that podman, skopeo and docker read; only those that are there.
 */
#ifndef CLI_REGISTRY_PLACES_H
#define CLI_REGISTRY_PLACES_H

#include <mkrootfs.h>

#include "options.h"

#define REGISTRY_PLACES_MAX 3 /* certificates: of the user, of the system, of docker */

/* What the lists of options point to. */
struct registry_places {
	char home_conf[4096], home_conf_folder[4096], home_certs[4096];
	const char *conf[OPTIONS_MAX], *mirrors[OPTIONS_MAX], *token_hosts[OPTIONS_MAX];
	const char *certs[REGISTRY_PLACES_MAX];
};

/* Sets registries_conf, mirrors, token_hosts and certs_dirs of out. */
void registry_places_fill(struct mkrootfs_registry_options *out, struct registry_places *places,
			  const struct arguments *arguments);

#endif
