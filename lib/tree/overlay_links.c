/* SPDX-License-Identifier: Apache-2.0 */
#include "find.h"
#include "overlay_state.h"

#include <stdlib.h>

static int missing_target(struct overlay *o, uint32_t node, const char *target,
			  struct mkrootfs_error *error)
{
	char path[512];

	tree_path(o->layer, node, path, sizeof(path));
	return error_set(
		error, MKROOTFS_ERROR_MALFORMED,
		"entry '%s': its hard link's target '%.400s' is no file of this layer or of "
		"those below",
		path, target);
}

static int resolve_link(struct overlay *o, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *link = tree_inode_of(o->layer, node);
	const char *target = tree_string(o->layer, link);
	uint32_t found;
	int status = tree_find(o->merged, &found, target, 0, error);

	if (status < 0)
		return status;
	if (!found || tree_is_directory(tree_inode_of(o->merged, found)))
		return missing_target(o, node, target, error);
	/* The link's own mode, owner and times go to the shared inode; data and xattrs stay. */
	status = tree_copy_attributes(o->merged, tree_inode_of(o->merged, found), o->layer, link,
				      error);
	o->inodes[o->layer->nodes[node].inode] = o->merged->nodes[found].inode;
	return status;
}

/* Most layers have none: then names need not be walked. */
static bool has_links(const struct tree *layer)
{
	uint32_t i = TREE_ROOT;

	while (i < layer->inode_count && !(layer->inodes[i].flags & TREE_LINK))
		i++;
	return i < layer->inode_count;
}

int overlay_resolve_links(struct overlay *o, struct mkrootfs_error *error)
{
	uint32_t node = has_links(o->layer) ? TREE_ROOT : 0;
	int status = 0;

	for (; status == 0 && node; node = tree_walk(o->layer, node))
		if (tree_inode_of(o->layer, node)->flags & TREE_LINK)
			status = resolve_link(o, node, error);
	return status;
}

/* A new inode in *id for the directory behind a lower layer's link; 0 where there is none. */
static int look_behind_link(struct overlay *o, uint32_t *id, uint32_t link,
			    struct mkrootfs_error *error)
{
	size_t size = tree_path_length(o->merged, link) + 1;
	char *path = malloc(size);
	struct tree_inode copy;
	uint32_t node;
	int status;

	if (!path)
		return error_no_memory(error);
	tree_path(o->merged, link, path, size);
	status = tree_find(o->merged, &node, path, TREE_FOLLOW_LAST, error);
	free(path);
	/* A link that leads nowhere, or around in a circle, has no attributes to give. */
	if (status == MKROOTFS_ERROR_MALFORMED)
		return 0;
	if (status < 0 || !node || !tree_is_directory(tree_inode_of(o->merged, node)))
		return status;
	copy = *tree_inode_of(o->merged, node);
	return tree_new_inode(o->merged, id, &copy, error);
}

int overlay_look_behind(struct overlay *o, struct mkrootfs_error *error)
{
	uint32_t node = tree_walk_directories(o->layer, TREE_ROOT);
	int status = 0;

	for (; status == 0 && node; node = tree_walk_directories(o->layer, node)) {
		const struct tree_inode *inode = tree_inode_of(o->layer, node);
		uint32_t parent = o->twins[o->layer->nodes[node].parent], old = 0;
		size_t len;
		const char *name = tree_name(o->layer, node, &len);

		if (parent)
			old = tree_lookup(o->merged, parent, name, len);
		if (!old)
			continue;
		if (tree_is_directory(tree_inode_of(o->merged, old)))
			o->twins[node] = inode->flags & TREE_OPAQUE ? 0 : old;
		else if (S_ISLNK(tree_inode_of(o->merged, old)->mode) &&
			 (inode->flags & TREE_IMPLIED))
			status = look_behind_link(o, &o->behind[node], old, error);
	}
	return status;
}
