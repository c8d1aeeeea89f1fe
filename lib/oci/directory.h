/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image in a folder as skopeo writes it (dir:): manifest.json, <hex>.manifest.json for each
 * manifest of an index, blobs named by the hex digits of their digests, and version.
 *
 *	reference_parse(&reference, "dir:build/out", error);
 *	directory_open(&transport, &reference, error);
 */
#ifndef MKROOTFS_OCI_DIRECTORY_H
#define MKROOTFS_OCI_DIRECTORY_H

#include "reference.h"
#include "transport.h"

int directory_open(struct transport **out, const struct reference *reference,
		   struct mkrootfs_error *error);

#endif
