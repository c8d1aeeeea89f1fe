/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inodes of a layout in their order: a directory, then what it has but directories, then the
 * same for each subdirectory. An inode of several names comes with the first of them.
 *
 *	struct layout_walk walk = layout_walk_start(plan);
 *	while ((node = layout_walk_next(&walk)) != 0)
 *		...
 *
 * The planner walks the same way: an inode that has no nid yet is given one before the next step.
 */
#ifndef MKROOTFS_EROFS_LAYOUT_WALK_H
#define MKROOTFS_EROFS_LAYOUT_WALK_H

#include "layout.h"

struct layout_walk {
	const struct erofs_layout *plan;
	uint32_t node;	    /* returned last; 0: none yet */
	uint32_t directory; /* in work */
	uint32_t child;	    /* of it, the next to look at */
	uint32_t inner;	    /* of it, the first directory that was passed; 0: none */
	uint32_t last_nid;  /* of all that were returned: they rise */
};

static inline struct layout_walk layout_walk_start(const struct erofs_layout *plan)
{
	return (struct layout_walk){ .plan = plan };
}

/* A lower nid was given to an earlier name of the same inode. */
static inline bool layout_walk_is_first(const struct layout_walk *walk, uint32_t id)
{
	uint32_t nid = walk->plan->nids[id];

	return nid == 0 || nid > walk->last_nid;
}

static inline uint32_t layout_walk_file(struct layout_walk *walk)
{
	const struct tree *tree = walk->plan->tree;
	uint32_t child = walk->child;

	for (; child; child = tree_next_child(tree, child)) {
		if (!tree_is_directory(tree_inode_of(tree, child))) {
			if (layout_walk_is_first(walk, tree->nodes[child].inode))
				break;
		} else if (walk->inner == 0) {
			walk->inner = child;
		}
	}
	walk->child = child ? tree_next_child(tree, child) : 0;
	return child;
}

/* The next in pre-order: all that the one in work has was looked at. */
static inline uint32_t layout_walk_directory(struct layout_walk *walk)
{
	const struct tree *tree = walk->plan->tree;

	if (walk->inner)
		walk->directory = walk->inner;
	else
		walk->directory = walk->directory
					  ? tree_walk_directories_past(tree, walk->directory)
					  : TREE_ROOT;
	walk->inner = 0;
	walk->child = walk->directory ? tree_first_child(tree, walk->directory) : 0;
	return walk->directory;
}

static inline uint32_t layout_walk_next(struct layout_walk *walk)
{
	const struct tree *tree = walk->plan->tree;

	if (walk->node)
		walk->last_nid = walk->plan->nids[tree->nodes[walk->node].inode];
	walk->node = layout_walk_file(walk);
	if (walk->node == 0)
		walk->node = layout_walk_directory(walk);
	return walk->node;
}

#endif
