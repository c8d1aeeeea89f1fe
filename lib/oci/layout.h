/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images in an OCI image layout: oci-layout, index.json and blobs/, in a folder or an archive.
 *
 *	reference_parse(&reference, "oci:build/out:3.12", error);
 *	layout_open(&transport, &reference, error);
 *
 * A name selects by the annotation org.opencontainers.image.ref.name. Without one the layout must
 * hold one image; or several without any name, and then index.json itself is the image's index.
 * Blobs are opened by names made of validated digests.
 */
#ifndef MKROOTFS_OCI_LAYOUT_H
#define MKROOTFS_OCI_LAYOUT_H

#include "../io/file_set.h"
#include "index.h"
#include "reference.h"
#include "transport.h"

/* The layout's folder is the reference's path. */
int layout_open(struct transport **out, const struct reference *reference,
		struct mkrootfs_error *error);
/* The same in files, which are taken on success. */
int layout_open_files(struct transport **out, struct file_set *files,
		      const struct reference *reference, struct mkrootfs_error *error);

/* What index.json lists; borrowed. */
const struct index *layout_index(const struct transport *transport);
/* The entry that is meant, whatever the reference says. */
void layout_choose(struct transport *transport, const struct index_entry *entry);
/* Gives files back to the caller; only close may follow. */
void layout_release_files(struct transport *transport);

#define LAYOUT_BLOB_NAME_SIZE (DIGEST_TEXT_SIZE + 8)

/* "blobs/<algorithm>/<hex>" */
void layout_blob_name(char name[LAYOUT_BLOB_NAME_SIZE], const struct digest *digest);

#endif
