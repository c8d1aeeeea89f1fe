/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an image folder's files are those that this version makes of the image's layers. */
#ifndef MKROOTFS_ROOTFS_IMAGE_CHECK_H
#define MKROOTFS_ROOTFS_IMAGE_CHECK_H

#include "image.h"
#include "stack.h"

/*
 * Compares identities, sizes and the descriptor's text; file contents are not read. Sets disk_size.
 * MALFORMED says what is wrong.
 */
int image_check(struct mkrootfs_image *image, struct mkrootfs_error *error);

/* The parts of it, once the layers are described. stack_free frees the stack. */
int image_open_stack(struct stack *stack, const struct mkrootfs_image *image,
		     struct mkrootfs_error *error);
int image_check_fsmeta(const struct mkrootfs_image *image, const struct stack *stack,
		       struct mkrootfs_error *error);
int image_check_disk(struct mkrootfs_image *image, const struct stack *stack,
		     struct mkrootfs_error *error);

#endif
