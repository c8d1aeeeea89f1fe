/* SPDX-License-Identifier: Apache-2.0 */
/* Building and publishing an image's folder from layers that the store has. */
#ifndef MKROOTFS_ROOTFS_IMAGE_FOLDER_H
#define MKROOTFS_ROOTFS_IMAGE_FOLDER_H

#include "../oci/resolve.h"
#include "../store/store.h"
#include "early_merge.h"
#include "events.h"

/*
 * All layers must be in the store. A folder that stood there before is replaced. merge has the
 * layers of which the trees are at hand; NULL: none.
 */
int image_folder_build(const struct store *store, const struct resolved_image *resolved,
		       struct early_merge *merge, struct events *events,
		       struct mkrootfs_error *error);

#endif
