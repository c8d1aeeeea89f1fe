/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image index, Docker's manifest list, or the index.json of a layout.
 *
 *	struct index index;
 *	index_parse(&index, root, error);
 *	index_free(&index);
 */
#ifndef MKROOTFS_OCI_INDEX_H
#define MKROOTFS_OCI_INDEX_H

#include "descriptor.h"
#include "platform.h"

struct index_entry {
	struct descriptor descriptor;
	bool has_platform;
	struct platform platform;
	bool is_attestation; /* provenance and the like, not an image */
	char *ref_name;	     /* annotation org.opencontainers.image.ref.name, or NULL */
	char *image_name;    /* annotation io.containerd.image.name, or NULL */
};

struct index {
	struct index_entry *entries;
	size_t count;
};

int index_parse(struct index *out, const struct jval *root, struct mkrootfs_error *error);
void index_free(struct index *index);

#endif
