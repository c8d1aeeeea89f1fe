/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a saved archive holds: blobs, and documents that name them.
 *
 *	save_parts_make(&parts, image, options, error);
 *	... write parts.layers, parts.config, parts.manifest, parts.index, parts.docker_list ...
 *	save_parts_free(&parts);
 */
#ifndef MKROOTFS_ROOTFS_SAVE_PARTS_H
#define MKROOTFS_ROOTFS_SAVE_PARTS_H

#include "save.h"

struct save_parts {
	struct descriptor *layers; /* lowest first, as many as the image has */
	size_t layer_count;
	struct buf config;
	struct buf manifest;
	struct descriptor config_descriptor, manifest_descriptor;
	char *index;	   /* index.json */
	char *docker_list; /* manifest.json */
};

int save_parts_make(struct save_parts *parts, const struct mkrootfs_image *image,
		    const struct save_options *options, struct mkrootfs_error *error);
void save_parts_free(struct save_parts *parts);

#endif
