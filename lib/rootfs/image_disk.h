/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of an image folder: fsmeta, then each distinct layer. */
#ifndef MKROOTFS_ROOTFS_IMAGE_DISK_H
#define MKROOTFS_ROOTFS_IMAGE_DISK_H

#include "../base/buf.h"
#include "stack.h"

/* stack holds paths inside folder. See disk_describe. */
int image_disk_describe(struct buf *text, uint64_t *size, const char *folder,
			const struct stack *stack, struct mkrootfs_error *error);

#endif
