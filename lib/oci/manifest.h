/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The manifest of one image: its config and its layers, lowest first.
 *
 *	struct manifest m;
 *	manifest_parse(&m, root, 1024, error);
 *	manifest_free(&m);
 */
#ifndef MKROOTFS_OCI_MANIFEST_H
#define MKROOTFS_OCI_MANIFEST_H

#include "descriptor.h"

struct manifest {
	struct descriptor config;
	struct descriptor *layers;
	size_t layer_count;
};

/*
 * root was classified as a manifest. Anything but a container image (a chart, a signature), and
 * encrypted layers, are UNSUPPORTED by name; more than max_layers is LIMIT. Layers that are marked
 * foreign or non-distributable are like all others: asked of the registry, never of their urls.
 */
int manifest_parse(struct manifest *out, const struct jval *root, uint32_t max_layers,
		   struct mkrootfs_error *error);
void manifest_free(struct manifest *manifest);

#endif
