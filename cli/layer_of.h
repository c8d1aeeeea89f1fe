/* SPDX-License-Identifier: Apache-2.0 */
/* Which layer of a store's image a file's data come from. */
#ifndef CLI_LAYER_OF_H
#define CLI_LAYER_OF_H

#include "tree_operand.h"

/* The layer's diff ID, borrowed from the image; NULL where there are no data or no layers. */
const char *layer_of(const struct tree_operand *place, const struct mkrootfs_stat *stat);

#endif
