/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which registries are asked for an image, under which names, in which order.
 *
 *	struct pull_sources_options options = { .conf = conf, .mirrors = { 1, &mirror } };
 *	pull_sources_find(&sources, &asked, &options, error);
 *	for (size_t i = 0; i < sources.count; i++)
 *		registry_open(&t, &sources.items[i].reference, ...);
 *	pull_sources_free(&sources);
 *
 * First the mirrors of the options, as HOST[:PORT][/PATH] in the place of the registry; then those
 * of the configuration; last the location that it gives, or the asked name itself.
 */
#ifndef MKROOTFS_OCI_PULL_SOURCES_H
#define MKROOTFS_OCI_PULL_SOURCES_H

#include "reference.h"
#include "registries_conf.h"

struct pull_source {
	struct reference reference;
	bool insecure; /* certificates are not checked, and plain HTTP is accepted */
};

struct pull_sources {
	struct pull_source *items;
	size_t count; /* at least 1 after a success */
};

struct pull_sources_options {
	const struct registries_conf *conf; /* or NULL */
	struct mkrootfs_string_list mirrors;
};

/*
 * DENIED when the configuration blocks the image. A mirror or location that it blocks is left out,
 * DENIED when none is left. INVALID, naming the file, when a name cannot be rewritten.
 */
int pull_sources_find(struct pull_sources *out, const struct reference *asked,
		      const struct pull_sources_options *options, struct mkrootfs_error *error);
/* A zeroed one is allowed. */
void pull_sources_free(struct pull_sources *sources);

#endif
