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

/* ---- For save_*.c: the steps of making them ---- */

/* Layers, config and manifest out of an image whose source is not at hand. */
int save_parts_make_anew(struct save_parts *parts, const struct mkrootfs_image *image,
			 const struct save_options *options, struct mkrootfs_error *error);
int save_parts_write_index(struct save_parts *parts, const struct mkrootfs_image *image,
			   const struct save_options *options, struct mkrootfs_error *error);
int save_parts_write_docker_list(struct save_parts *parts, const struct save_options *options,
				 struct mkrootfs_error *error);
/* Describes a document by its bytes. */
int save_parts_describe(struct descriptor *out, const struct buf *bytes, const char *media_type,
			struct mkrootfs_error *error);
/* A descriptor as JSON. */
struct jval *save_parts_descriptor(const struct descriptor *descriptor);

#endif
