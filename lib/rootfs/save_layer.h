/* SPDX-License-Identifier: Apache-2.0 */
/* A layer image as the tar of an OCI layer. */
#ifndef MKROOTFS_ROOTFS_SAVE_LAYER_H
#define MKROOTFS_ROOTFS_SAVE_LAYER_H

#include "../base/digest.h"
#include "../io/sink.h"
#include "events.h"

/* Writes it to out, which may be NULL, and tells its digest and size. */
int save_layer(struct sink *out, struct digest *digest, uint64_t *size, const char *path,
	       struct events *events, struct mkrootfs_error *error);

#endif
