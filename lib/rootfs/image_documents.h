/* SPDX-License-Identifier: Apache-2.0 */
/* The documents of an image folder: manifest.json and config.json. */
#ifndef MKROOTFS_ROOTFS_IMAGE_DOCUMENTS_H
#define MKROOTFS_ROOTFS_IMAGE_DOCUMENTS_H

#include "../base/buf.h"
#include "image.h"

/*
 * Reads both from image->directory. The manifest must have the digest image->manifest_digest, the
 * config the one that the manifest names. Sets image->config and image->platform.
 */
int image_read_documents(struct mkrootfs_image *image, struct mkrootfs_error *error);

/* Appends a file of an image's folder, as it is, to out, whose cap bounds it. */
int image_read_file(struct buf *out, const char *directory, const char *name,
		    struct mkrootfs_error *error);

#endif
