/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tar of a root filesystem as an image of one layer.
 *
 *	tar_image_open(&transport, &options, &file, error);
 *
 * The tar is converted as it comes, in one pass and without a copy of it, since its digest, and so
 * the image's manifest, is only known at its end. Manifest and config depend on the tar and on the
 * platform alone: the same tar, compressed or not, is the same image.
 */
#ifndef MKROOTFS_ROOTFS_TAR_IMAGE_H
#define MKROOTFS_ROOTFS_TAR_IMAGE_H

#include "../oci/platform.h"
#include "../oci/transport.h"
#include "../store/store.h"
#include "archive_file.h"
#include "layer.h"

struct tar_image_options {
	const struct store *store; /* open for writing: takes the layer */
	const struct platform *platform;
	const struct mkrootfs_limits *limits; /* defaults filled in */
	struct events *events;
	unsigned threads;		    /* see layer_pump.h */
	struct mkrootfs_layer_times *times; /* takes those of the layer; NULL: not asked for */
};

/*
 * The transport of the image whose layer the store then has. *fresh tells whether it is new there;
 * the caller frees the tree of made. The file's descriptor is taken.
 */
int tar_image_open(struct transport **out, bool *fresh, struct made_layer *made,
		   struct archive_file *file, const struct tar_image_options *options,
		   struct mkrootfs_error *error);

#endif
