/* SPDX-License-Identifier: Apache-2.0 */
#include "layout_walk.h"

/* A lower nid was given to an earlier name of the same inode. */
static bool comes_first(const struct layout_walk *walk, uint32_t id)
{
	uint32_t nid = walk->plan->nids[id];

	return nid == 0 || nid > walk->last_nid;
}

static uint32_t next_file(struct layout_walk *walk)
{
	const struct tree *tree = walk->plan->tree;
	uint32_t child = walk->child;

	while (child && (tree_is_directory(tree_inode_of(tree, child)) ||
			 !comes_first(walk, tree->nodes[child].inode)))
		child = tree_next_child(tree, child);
	walk->child = child ? tree_next_child(tree, child) : 0;
	return child;
}

static uint32_t next_directory(struct layout_walk *walk)
{
	const struct tree *tree = walk->plan->tree;

	walk->directory =
		walk->directory ? tree_walk_directories(tree, walk->directory) : TREE_ROOT;
	walk->child = walk->directory ? tree_first_child(tree, walk->directory) : 0;
	return walk->directory;
}

uint32_t layout_walk_next(struct layout_walk *walk)
{
	const struct tree *tree = walk->plan->tree;

	if (walk->node)
		walk->last_nid = walk->plan->nids[tree->nodes[walk->node].inode];
	walk->node = next_file(walk);
	if (walk->node == 0)
		walk->node = next_directory(walk);
	return walk->node;
}
