/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The merge of layers while they are made: a tree goes from the conversion of its layer straight to
 * the merged one, and no layer image is read back. Layers that the store had are not here, nor are
 * trees that would have taken too much memory: the merge of the stack reads those. All that goes
 * wrong here only means that it reads the others too, and tells what is wrong.
 *
 *	early_merge_open(&m, diff_ids, count, error);
 *	early_merge_give(m, layer, &made);		by any thread, in any order
 *	layers = early_merge_take(&tree, m, &stack, &events);
 *	for each layer behind those: tree = early_merge_waiting(m, layer);
 *	early_merge_free(m);
 *
 * The lowest layer's tree becomes the merged one; who gives the next layer in order stacks it, and
 * those that waited for it, and frees them.
 */
#ifndef MKROOTFS_ROOTFS_EARLY_MERGE_H
#define MKROOTFS_ROOTFS_EARLY_MERGE_H

#include "layer.h"
#include "stack.h"

struct early_merge;

/* diff_ids, lowest layer first, are borrowed. */
int early_merge_open(struct early_merge **out, const struct digest *diff_ids, size_t count,
		     struct mkrootfs_error *error);
/* NULL is allowed. */
void early_merge_free(struct early_merge *merge);

/* Takes made->tree, in any case, and leaves NULL there; no tree is no news. merge may be NULL. */
void early_merge_give(struct early_merge *merge, size_t layer, struct made_layer *made);
/* Frees all trees and takes no more: another layer failed. merge may be NULL. */
void early_merge_stop(struct early_merge *merge);

/*
 * The merged tree of the lowest layers, to be freed by the caller, and their number; 0 and NULL
 * when none are. Tells their warnings. The stack's images have to be those that were made: of one
 * that is not, no tree is used. No thread may give any more; merge may be NULL.
 */
size_t early_merge_take(struct tree **merged, struct early_merge *merge, const struct stack *stack,
			struct events *events);
/* After early_merge_take: the tree of a layer that it did not count, for the caller to free; or
 * NULL. */
struct tree *early_merge_waiting(struct early_merge *merge, size_t layer);

#endif
