/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_links.h"

#include "../base/array.h"
#include "find.h"

#include <stdlib.h>
#include <string.h>

int layer_links_add(struct layer_links *links, uint32_t node, struct mkrootfs_error *error)
{
	int status = array_reserve(&links->nodes, &links->room, links->count, sizeof(*links->nodes),
				   error);

	if (status == 0)
		links->nodes[links->count++] = node;
	return status;
}

int layer_links_stand_in(struct tree *tree, uint32_t *inode, const char *target,
			 const struct tree_inode *link, struct mkrootfs_error *error)
{
	struct tree_inode made = { .mode = S_IFREG, .flags = TREE_LINK };
	int status = tree_new_string(tree, &made.data, target, strlen(target), error);

	*inode = 0;
	if (status == 0)
		status = tree_copy_attributes(tree, &made, tree, link, error);
	return status < 0 ? status : tree_new_inode(tree, inode, &made, error);
}

/* What stands under the target's name now; *id is 0 when that is nothing to link to. */
static int find_target(const struct tree *tree, uint32_t *id, const char *target,
		       struct mkrootfs_error *error)
{
	const struct tree_inode *inode;
	uint32_t node;
	int status = tree_find(tree, &node, target, 0, error);

	*id = 0;
	if (status < 0 || node == 0)
		return status;
	inode = tree_inode_of(tree, node);
	if (tree_is_directory(inode) && !(inode->flags & TREE_IMPLIED))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "the hard link's target '%s' is a directory", target);
	if (tree_is_directory(inode) ||
	    (tree_is_whiteout(inode) && !(inode->flags & TREE_RAW_WHITEOUT)))
		return 0;
	*id = tree->nodes[node].inode;
	return 0;
}

/*
 * Gives a waiting name the inode of its target, when that came after the link: then the target's
 * own entry was the later one, and its attributes stay.
 */
static int resolve_link(const struct layer_links *links, struct tree *tree, uint32_t node,
			struct mkrootfs_error *error)
{
	uint32_t id = tree->nodes[node].inode;
	int status = 0;

	if (id == 0 || !(tree->inodes[id].flags & TREE_LINK))
		return 0;
	for (uint32_t steps = 0; status == 0 && id; steps++) {
		const struct tree_inode *inode = &tree->inodes[id];

		if (!(inode->flags & TREE_LINK))
			break;
		if (steps > links->count)
			return error_set(error, MKROOTFS_ERROR_MALFORMED,
					 "hard links point at each other: '%s'",
					 tree_string(tree, inode));
		/* Shorten chains of links that came in the reverse order. */
		tree_inode_of(tree, node)->data = inode->data;
		status = find_target(tree, &id, tree_string(tree, inode), error);
	}
	if (status == 0 && id)
		tree->nodes[node].inode = id;
	return status;
}

/* A target that is a waiting name itself, and whose own target has come by now. */
static int settle_target(const struct layer_links *links, struct tree *tree, const char *target,
			 struct mkrootfs_error *error)
{
	uint32_t node;
	int status = links->count ? tree_find(tree, &node, target, 0, error) : 0;

	if (status < 0 || links->count == 0 || node == 0)
		return status;
	return resolve_link(links, tree, node, error);
}

int layer_links_find(const struct layer_links *links, struct tree *tree, uint32_t *inode,
		     const char *target, struct mkrootfs_error *error)
{
	int status = settle_target(links, tree, target, error);

	*inode = 0;
	return status < 0 ? status : find_target(tree, inode, target, error);
}

int layer_links_resolve(const struct layer_links *links, struct tree *tree,
			struct mkrootfs_error *error)
{
	char path[512];

	/* The latest first, so that of a chain the end is resolved before the rest. */
	for (uint32_t i = links->count; i-- > 0;) {
		if (resolve_link(links, tree, links->nodes[i], error) == 0)
			continue;
		tree_path(tree, links->nodes[i], path, sizeof(path));
		return error_prefix(error, "tar entry '%s': ", path);
	}
	return 0;
}

void layer_links_free(struct layer_links *links)
{
	free(links->nodes);
	*links = (struct layer_links){ 0 };
}
