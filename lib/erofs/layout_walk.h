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
};

static inline struct layout_walk layout_walk_start(const struct erofs_layout *plan)
{
	return (struct layout_walk){ .plan = plan };
}

/* nids rise: of several names the first has led to one that is not above the last. */
static inline bool layout_walk_is_first(const struct layout_walk *walk, uint32_t id)
{
	const uint32_t *nids = walk->plan->nids;

	return nids[id] == 0 || nids[id] > nids[walk->plan->tree->nodes[walk->node].inode];
}

static inline uint32_t layout_walk_file(struct layout_walk *walk)
{
	const struct tree *tree = walk->plan->tree;
	uint32_t child = walk->child;

	for (; child; child = tree->nodes[child].next) {
		const struct tree_inode *inode = tree_inode_of(tree, child);

		if (tree_is_directory(inode)) {
			walk->inner = walk->inner ? walk->inner : child;
			continue;
		}
		if (inode->nlink == 1 || layout_walk_is_first(walk, tree->nodes[child].inode))
			break;
	}
	walk->child = tree->nodes[child].next;
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
	walk->child = walk->directory ? tree_directory_of(tree, walk->directory)->first : 0;
	return walk->directory;
}

static inline uint32_t layout_walk_next(struct layout_walk *walk)
{
	uint32_t node = layout_walk_file(walk);

	walk->node = node ? node : layout_walk_directory(walk);
	return walk->node;
}

#endif
