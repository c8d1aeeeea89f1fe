/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transport for a reference to a registry: the sources that the configuration of registries
 * gives, each with its own trust.
 *
 *	sources_resolve_name(&text, options, "fedora", &events, error);		short names
 *	reference_parse(&reference, text, error);
 *	sources_open(&transport, &reference, options, &events, error);
 */
#ifndef MKROOTFS_ROOTFS_SOURCES_H
#define MKROOTFS_ROOTFS_SOURCES_H

#include "../oci/reference.h"
#include "../oci/transport.h"
#include "events.h"

struct sources;

/* Reads the configuration files of the options, which are borrowed until close. */
int sources_create(struct sources **out, const struct mkrootfs_registry_options *options,
		   struct events *events, struct mkrootfs_error *error);
/* NULL is allowed. Not before the transport is closed. */
void sources_free(struct sources *sources);
/*
 * Appends the reference that a user's text means, where it is an alias; the user is told then.
 */
int sources_resolve_name(struct buf *out, const struct sources *sources, const char *text,
			 struct mkrootfs_error *error);
/* reference is borrowed until the transport is closed. */
int sources_open(struct transport **out, struct sources *sources, const struct reference *reference,
		 struct mkrootfs_error *error);

#endif
