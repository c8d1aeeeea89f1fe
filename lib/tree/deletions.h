/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a layer deletes of the layers below it. Deletions may stand anywhere in an archive and never
 * touch their own layer's entries: they are kept until all of these are known.
 *
 *	struct deletions d = { 0 };
 *	deletions_add(&d, tree, WHITEOUT_NAME, "a/.wh.x", &inode, error);
 *	deletions_apply(&d, tree, max_depth, error);	once, behind the last entry
 *	deletions_free(&d);
 */
#ifndef MKROOTFS_TREE_DELETIONS_H
#define MKROOTFS_TREE_DELETIONS_H

#include "tree.h"
#include "whiteout.h"

struct deletion {
	enum whiteout_kind kind; /* WHITEOUT_NAME or WHITEOUT_OPAQUE */
	uint32_t attributes;	 /* number in the tree's pool: the entry's time alone */
	uint32_t path;		 /* tree_new_string's reference */
};

struct deletions {
	struct deletion *list; /* in the archive's order */
	uint32_t count;
	size_t room;
};

/* path is that of the entry: ".wh.x" and all. */
int deletions_add(struct deletions *deletions, struct tree *tree, enum whiteout_kind kind,
		  const char *path, const struct tree_inode *entry, struct mkrootfs_error *error);
int deletions_apply(const struct deletions *deletions, struct tree *tree, uint32_t max_depth,
		    struct mkrootfs_error *error);
void deletions_free(struct deletions *deletions);

#endif
