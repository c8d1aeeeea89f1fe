/* SPDX-License-Identifier: Apache-2.0 */
/* The image that a store already has for a reference, without a look at where it came from. */
#ifndef MKROOTFS_ROOTFS_LOCAL_IMAGE_H
#define MKROOTFS_ROOTFS_LOCAL_IMAGE_H

#include "../oci/platform.h"
#include "events.h"

/*
 * *image is NULL, without an error, when the store has none of that canonical reference that is
 * whole and for that platform; platform NULL: for any.
 */
int local_image_open(struct mkrootfs_image **image, const char *store, const char *reference,
		     const struct platform *platform, struct mkrootfs_error *error);
/* Tells of an image and its layers what a pull tells that finds all of them in the store. */
int local_image_report(struct mkrootfs_image *image, struct events *events,
		       struct mkrootfs_error *error);

#endif
