/* SPDX-License-Identifier: Apache-2.0 */
/* Which child of a directory has a name; for lib/tree. */
#ifndef MKROOTFS_TREE_NAMES_H
#define MKROOTFS_TREE_NAMES_H

#include "tree.h"

/* Like memcmp; a name that another one starts with comes first. */
int names_compare(const char *a, size_t a_len, const char *b, size_t b_len);
/* The order of a name and that of a node. */
int names_compare_to(const struct tree *tree, uint32_t node, const char *name, size_t len);

/*
 * The child of a directory with that name, or 0. *is_last tells that a new child of that name, if
 * there is none, comes behind all others in the order of names.
 */
uint32_t names_find(const struct tree *tree, uint32_t directory, const char *name, size_t len,
		    bool *is_last);
/* Frees what is only there to find names fast. */
void names_forget(struct tree *tree);

#endif
