/* SPDX-License-Identifier: Apache-2.0 */
#include "upper_tree.h"

#include <string.h>

/* A directory's inode for the upper: as the image has it, or made up. */
static int new_directory(struct upper_walk *w, uint32_t *id, const struct upper_place *place,
			 const struct tree_inode *attributes, struct mkrootfs_error *error)
{
	struct upper_tree *upper = w->upper;
	const struct tree_inode implied = { .mode = S_IFDIR | 0755, .attributes = upper->plain };

	if (!place->has_lower || !S_ISDIR(place->lower.head.mode))
		return tree_new_inode(upper->tree, id, attributes ? attributes : &implied, error);
	if (erofs_read_inode(upper->tree, id, &place->lower, upper->image->reader, error) < 0)
		return error->status;
	upper->tree->inodes[*id].flags = 0;
	return upper_public_xattrs(upper->tree, &upper->tree->inodes[*id], error);
}

static int put(struct upper_walk *w, struct upper_place *place, uint32_t parent, uint32_t id,
	       struct mkrootfs_error *error)
{
	struct tree *tree = w->upper->tree;
	const char *name = (const char *)w->names.data + place->name;
	bool over_whiteout = place->node && tree_is_whiteout(tree_inode_of(tree, place->node));

	if (over_whiteout && tree_is_directory(&tree->inodes[id]))
		tree->inodes[id].flags |= TREE_OPAQUE;
	return tree_put(tree, &place->node, parent, name, place->len, id, error);
}

/* The place becomes a directory of the upper, if it is none yet. */
static int make_directory(struct upper_walk *w, struct upper_place *place, uint32_t parent,
			  const struct tree_inode *attributes, struct mkrootfs_error *error)
{
	uint32_t id;

	if (place->node && tree_is_directory(tree_inode_of(w->upper->tree, place->node)))
		return 0;
	if (new_directory(w, &id, place, attributes, error) < 0)
		return error->status;
	return put(w, place, parent, id, error);
}

int upper_walk_parent(struct upper_walk *w, uint32_t *node, struct mkrootfs_error *error)
{
	*node = w->upper->upper;
	for (size_t i = 1; i < w->depth; i++) {
		if (make_directory(w, &w->above[i], *node, NULL, error) < 0)
			return error->status;
		*node = w->above[i].node;
	}
	return 0;
}

int upper_walk_put(struct upper_walk *w, uint32_t inode, struct mkrootfs_error *error)
{
	uint32_t parent;

	if (w->depth == 0 || (w->kind != UPPER_ABSENT && S_ISDIR(w->mode)))
		return error_set(error, MKROOTFS_ERROR_INVALID, "'/%s' is a directory",
				 w->depth ? upper_walk_name(w) : "");
	if (upper_walk_parent(w, &parent, error) < 0)
		return error->status;
	return put(w, &w->found, parent, inode, error);
}

int upper_walk_directory(struct upper_walk *w, uint32_t *node, const struct tree_inode *attributes,
			 struct mkrootfs_error *error)
{
	uint32_t parent;

	*node = w->upper->upper;
	if (w->depth == 0)
		return 0;
	if (w->kind != UPPER_ABSENT && !S_ISDIR(w->mode))
		return error_set(error, MKROOTFS_ERROR_INVALID, "'%s' is no directory",
				 upper_walk_name(w));
	if (upper_walk_parent(w, &parent, error) < 0 ||
	    make_directory(w, &w->found, parent, attributes, error) < 0)
		return error->status;
	*node = w->found.node;
	return 0;
}
