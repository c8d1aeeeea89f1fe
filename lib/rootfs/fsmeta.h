/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The merged metadata of an image: an EROFS image without file data, whose block addresses count
 * from its own start, over the layers that follow it on the stitched disk.
 *
 *	stack_open(&stack, paths, count, error);
 *	fsmeta_write(file, &inodes, &stack, NULL, &events, error);
 *	... the disk is fsmeta, then stack.distinct[0], [1], ...
 *	stack_free(&stack);
 */
#ifndef MKROOTFS_ROOTFS_FSMETA_H
#define MKROOTFS_ROOTFS_FSMETA_H

#include "../io/image_file.h"
#include "early_merge.h"
#include "stack.h"

/*
 * inodes takes their number in the merged tree. Layers that early has are not read; NULL: all are.
 * The bytes are the same.
 */
int fsmeta_write(struct image_file *file, uint64_t *inodes, const struct stack *stack,
		 struct early_merge *early, struct events *events, struct mkrootfs_error *error);
/* The UUID that fsmeta_write gives the image of such a stack. */
int fsmeta_uuid(uint8_t uuid[UUID_SIZE], const struct stack *stack, struct mkrootfs_error *error);

#endif
