/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images in an OCI image layout: a folder with oci-layout, index.json and blobs/.
 *
 *	reference_parse(&reference, "oci:build/out:3.12", error);
 *	layout_open(&transport, &reference, error);
 *
 * A name selects by the annotation org.opencontainers.image.ref.name. Without one the layout must
 * hold one image; or several without any name, and then index.json itself is the image's index.
 * Files are opened below the folder by names made of validated digests, and must be regular files.
 */
#ifndef MKROOTFS_OCI_LAYOUT_H
#define MKROOTFS_OCI_LAYOUT_H

#include "reference.h"
#include "transport.h"

int layout_open(struct transport **out, const struct reference *reference,
		struct mkrootfs_error *error);

#endif
