/* SPDX-License-Identifier: Apache-2.0 */
#include "overlay.h"

#include "../base/buf.h"
#include "../base/pages.h"
#include "overlay_state.h"

#include <stdlib.h>

/* A directory that the layer listed gives its attributes to the merged one. */
static int update_directory(struct overlay *o, uint32_t node, const struct tree_inode *from,
			    struct mkrootfs_error *error)
{
	struct tree_inode *to = tree_inode_of(o->merged, node);

	if (from->flags & TREE_IMPLIED)
		return 0;
	tree_copy_mode(to, from);
	return overlay_map_attributes(o, &to->attributes, from, error);
}

static int warn_hidden_link(struct overlay *o, uint32_t node, struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(4096);
	char path[1024];
	int status;

	if (!o->options->warn)
		return 0;
	tree_path(o->merged, node, path, sizeof(path));
	status = buf_printf(&text, error,
			    "'%s': a directory hides the symbolic link of a lower layer", path);
	if (status == 0)
		o->options->warn(o->options->user, (const char *)text.data);
	buf_free(&text);
	return status;
}

/* A directory over nothing or over something else. */
static int replace_by_directory(struct overlay *o, uint32_t node, uint32_t parent,
				struct tree_place *place, struct mkrootfs_error *error)
{
	const struct tree_inode *from = tree_inode_of(o->layer, node);
	struct tree_inode inode = { .mode = S_IFDIR };
	size_t len;
	const char *name = tree_name(o->layer, node, &len);
	uint32_t id = o->behind[node], old = place->node;
	int status;

	tree_copy_mode(&inode, from);
	status = overlay_map_attributes(o, &inode.attributes, from, error);
	if (status == 0 && old && S_ISLNK(tree_inode_of(o->merged, old)->mode))
		status = warn_hidden_link(o, old, error);
	if (status == 0 && id == 0)
		status = tree_new_inode(o->merged, &id, &inode, error);
	if (status == 0)
		status = tree_put_at(o->merged, place, parent, name, len, id, error);
	o->twins[node] = place->node;
	return status;
}

static int apply_directory(struct overlay *o, uint32_t node, uint32_t parent,
			   struct tree_place *place, struct mkrootfs_error *error)
{
	const struct tree_inode *from = tree_inode_of(o->layer, node);
	uint32_t old = place->node;

	if (!old || !tree_is_directory(tree_inode_of(o->merged, old)))
		return replace_by_directory(o, node, parent, place, error);
	o->twins[node] = old;
	if (from->flags & TREE_OPAQUE)
		tree_clear(o->merged, old);
	return update_directory(o, old, from, error);
}

static int apply_node(struct overlay *o, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(o->layer, node);
	uint32_t parent = o->twins[o->layer->nodes[node].parent], id;
	struct tree_place place;
	size_t len;
	const char *name = tree_name(o->layer, node, &len);
	int status;

	place = tree_find_place(o->merged, parent, name, len);
	if (tree_is_whiteout(inode)) {
		if (place.node)
			tree_remove(o->merged, place.node);
		return 0;
	}
	if (tree_is_directory(inode))
		return apply_directory(o, node, parent, &place, error);
	status = overlay_map_inode(o, &id, o->layer->nodes[node].inode, error);
	return status < 0 ? status : tree_put_at(o->merged, &place, parent, name, len, id, error);
}

static int apply_all(struct overlay *o, struct mkrootfs_error *error)
{
	const struct tree_inode *root = tree_inode_of(o->layer, TREE_ROOT);
	uint32_t node;
	int status = overlay_resolve_links(o, error);

	o->twins[TREE_ROOT] = TREE_ROOT;
	if (status == 0 && !(root->flags & TREE_OPAQUE))
		status = overlay_look_behind(o, error);
	if (status < 0)
		return status;
	if (root->flags & TREE_OPAQUE)
		tree_clear(o->merged, TREE_ROOT);
	status = update_directory(o, TREE_ROOT, root, error);
	for (node = tree_walk(o->layer, TREE_ROOT); status == 0 && node;
	     node = tree_walk(o->layer, node))
		status = apply_node(o, node, error);
	return status;
}

int overlay_apply(struct tree *merged, const struct tree *layer,
		  const struct overlay_options *options, struct mkrootfs_error *error)
{
	struct overlay o = { .merged = merged, .layer = layer, .options = options };
	int status;

	o.twins = pages_zeroed(layer->node_count, sizeof(*o.twins));
	o.inodes = pages_zeroed(layer->inode_count, sizeof(*o.inodes));
	o.sets = calloc(layer->xattrs.sets.count + 1u, sizeof(*o.sets));
	o.attributes = calloc(layer->attributes.count, sizeof(*o.attributes));
	o.behind = pages_zeroed(layer->node_count, sizeof(*o.behind));
	if (o.twins && o.inodes && o.sets && o.attributes && o.behind)
		status = apply_all(&o, error);
	else
		status = error_no_memory(error);
	free(o.twins);
	free(o.inodes);
	free(o.sets);
	free(o.attributes);
	free(o.behind);
	return status;
}
