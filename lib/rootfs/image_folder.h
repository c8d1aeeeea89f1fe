/* SPDX-License-Identifier: Apache-2.0 */
/* Building and publishing an image's folder from layers that the store has. */
#ifndef MKROOTFS_ROOTFS_IMAGE_FOLDER_H
#define MKROOTFS_ROOTFS_IMAGE_FOLDER_H

#include "../oci/resolve.h"
#include "../store/store.h"
#include "events.h"

/* All layers must be in the store. A folder that stood there before is replaced. */
int image_folder_build(const struct store *store, const struct resolved_image *resolved,
		       struct events *events, struct mkrootfs_error *error);

#endif
