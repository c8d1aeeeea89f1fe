/* SPDX-License-Identifier: Apache-2.0 */
/* Layer images in their order, each distinct one with its place on the stitched disk. */
#ifndef MKROOTFS_ROOTFS_STACK_H
#define MKROOTFS_ROOTFS_STACK_H

#include "../base/uuid.h"
#include "../oci/descriptor.h"
#include "events.h"

struct stack_image {
	const char *path; /* borrowed */
	uint8_t uuid[UUID_SIZE];
	uint32_t blocks;
	uint64_t first_block; /* behind fsmeta's blocks */
};

struct stack {
	struct stack_image *distinct; /* in the order of first appearance */
	size_t distinct_count;
	size_t *order; /* for each layer, lowest first: index in distinct */
	size_t count;
	uint64_t blocks;		/* of all distinct images */
	const struct descriptor *blobs; /* by layer, to name them in errors; NULL: by path */
};

/*
 * Opens the images at paths, lowest layer first; the same path may stand there several times, and
 * so may one image under several paths. Checks superblocks and sizes.
 */
int stack_open(struct stack *stack, const char *const *paths, size_t count,
	       struct mkrootfs_error *error);
void stack_free(struct stack *stack);

#endif
