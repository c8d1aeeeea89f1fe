/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A transport over several sources of one image: mirrors, and the registry itself at the end.
 *
 *	struct mirror_source sources[] = { { t1, "mirror.local/x" }, { t2, "docker.io/library/x" }
 *}; struct mirrors_options options = { .reference = &asked, .warn = warn, .warn_user = user };
 *	mirrors_open(&transport, sources, 2, &options, error);		takes the transports
 *
 * Whatever goes wrong with a source - no answer, a refusal, no manifest, another digest - the next
 * one is asked, and a warning says so. A document is accepted when it has the digest that was asked
 * for; one asked for by a tag, when it is a manifest or an index. A source that could not be
 * reached, or did not have the image, is asked after the others from then on. Blobs come from any
 * source that has them: their digests are the caller's to check, who tells of a wrong one by
 * transport_next_source.
 */
#ifndef MKROOTFS_OCI_MIRRORS_H
#define MKROOTFS_OCI_MIRRORS_H

#include "reference.h"
#include "transport.h"

struct mirror_source {
	struct transport *transport;
	const char *name; /* "HOST/REPOSITORY"; copied */
};

struct mirrors_options {
	const struct reference *reference; /* what was asked for; borrowed until close */
	void (*warn)(void *user, const char *text);
	void *warn_user;
};

/* Takes the transports in any case. */
int mirrors_open(struct transport **out, const struct mirror_source *sources, size_t count,
		 const struct mirrors_options *options, struct mkrootfs_error *error);

#endif
