/* SPDX-License-Identifier: Apache-2.0 */
#include "overlay_state.h"

/* With nothing below there is nothing to link to: the first waiting link is the error. */
static int refuse_links(const struct tree *layer, struct mkrootfs_error *error)
{
	struct overlay o = { .layer = layer };
	int status = tree_create(&o.merged, error);

	if (status == 0)
		status = overlay_resolve_links(&o, error);
	tree_free(o.merged);
	return status;
}

/* A removed node still knows what comes behind it. */
static void drop_whiteouts(struct tree *tree)
{
	for (uint32_t node = TREE_ROOT; node; node = tree_walk(tree, node))
		if (tree_is_whiteout(tree_inode_of(tree, node)))
			tree_remove(tree, node);
}

int overlay_base(struct tree *layer, struct mkrootfs_error *error)
{
	int status = refuse_links(layer, error);

	if (status < 0)
		return status;
	drop_whiteouts(layer);
	for (uint32_t i = TREE_ROOT; i < layer->inode_count; i++)
		layer->inodes[i].flags &= TREE_CHUNKED;
	return 0;
}
