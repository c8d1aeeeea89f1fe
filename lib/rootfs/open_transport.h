/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a reference to the transport that reads what it names.
 *
 *	struct opening opening = { .reference = &reference, ... };
 *	open_transport(&transport, &opening, error);
 *	use(transport, opening.name, opening.fresh);
 */
#ifndef MKROOTFS_ROOTFS_OPEN_TRANSPORT_H
#define MKROOTFS_ROOTFS_OPEN_TRANSPORT_H

#include "../oci/platform.h"
#include "../oci/reference.h"
#include "../oci/transport.h"
#include "../store/store.h"
#include "events.h"
#include "layer.h"
#include "sources.h"

struct opening {
	const struct reference *reference;
	struct sources *sources;	      /* of a registry's image; else NULL */
	const struct platform *platform;      /* of an image that does not say */
	const struct mkrootfs_limits *limits; /* defaults filled in */
	struct events *events;
	const char *store_path;
	/*
	 * Opened for writing where something has to be kept while the transport is open; the
	 * caller's to close, behind the transport.
	 */
	struct store **store;
	unsigned threads;		    /* see struct layer_jobs_options */
	struct mkrootfs_layer_times *times; /* takes those of a layer that is made on the way;
					       NULL: not asked for */
	/* What was found: the image's canonical name in its archive, or empty; */
	char name[REFERENCE_TEXT_SIZE];
	bool fresh;		/* and whether its layer was brought into the store on the way, */
	struct made_layer made; /* with what it holds; the caller frees its tree. */
};

int open_transport(struct transport **out, struct opening *opening, struct mkrootfs_error *error);

#endif
