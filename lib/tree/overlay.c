/* SPDX-License-Identifier: Apache-2.0 */
#include "overlay.h"

#include "chunk_map.h"
#include "find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct overlay {
	struct tree *merged;
	const struct tree *layer;
	const struct overlay_options *options;
	uint32_t *twins;  /* layer node -> node in merged, for directories */
	uint32_t *inodes; /* layer inode -> inode in merged, 0: not copied yet */
	uint32_t *sets;	  /* layer xattr set -> set in merged, 0: not copied yet */
	uint32_t *behind; /* layer node -> inode in merged, see look_behind_links */
};

static int copy_xattrs(struct overlay *o, uint32_t *set, uint32_t layer_set,
		       struct mkrootfs_error *error)
{
	int status = 0;

	if (layer_set && o->sets[layer_set] == 0)
		status = xattr_pool_copy(&o->merged->xattrs, &o->sets[layer_set], &o->layer->xattrs,
					 layer_set, error);
	*set = layer_set ? o->sets[layer_set] : 0;
	return status;
}

static int copy_chunks(struct overlay *o, struct tree_inode *copy, const struct tree_inode *inode,
		       struct mkrootfs_error *error)
{
	const struct chunk_map *from = chunk_map_of(o->layer, inode);
	struct chunk_map *to;
	int status = chunk_map_new(o->merged, &copy->data, from->block_bits, from->count, error);

	if (status < 0)
		return status;
	to = chunk_map_of(o->merged, copy);
	for (uint32_t i = 0; i < from->count; i++)
		if (from->address[i] != CHUNK_HOLE)
			to->address[i] = (uint32_t)(from->address[i] + o->options->first_block);
	return 0;
}

/* Makes what data stands for valid in the merged tree. */
static int copy_data(struct overlay *o, struct tree_inode *copy, const struct tree_inode *inode,
		     struct mkrootfs_error *error)
{
	const char *target;

	if (S_ISLNK(inode->mode)) {
		target = tree_string(o->layer, inode);
		return tree_new_string(o->merged, &copy->data, target, strlen(target), error);
	}
	if (inode->flags & TREE_CHUNKED)
		return copy_chunks(o, copy, inode, error);
	if (S_ISREG(inode->mode) && inode->size > 0)
		copy->data += o->options->first_block;
	return 0;
}

/* The merged inode of a layer's inode, copied at its first use. */
static int map_inode(struct overlay *o, uint32_t *id, uint32_t layer_id,
		     struct mkrootfs_error *error)
{
	const struct tree_inode *inode = &o->layer->inodes[layer_id];
	struct tree_inode copy = *inode;
	int status = 0;

	if (o->inodes[layer_id] == 0) {
		copy.flags &= TREE_CHUNKED;
		status = copy_xattrs(o, &copy.xattrs, inode->xattrs, error);
		if (status == 0)
			status = copy_data(o, &copy, inode, error);
		if (status == 0)
			status = tree_new_inode(o->merged, &o->inodes[layer_id], &copy, error);
	}
	*id = o->inodes[layer_id];
	return status;
}

/* A directory that the layer listed gives its attributes to the merged one. */
static int update_directory(struct overlay *o, uint32_t node, const struct tree_inode *from,
			    struct mkrootfs_error *error)
{
	struct tree_inode *to = tree_inode_of(o->merged, node);

	if (from->flags & TREE_IMPLIED)
		return 0;
	tree_copy_attributes(to, from);
	return copy_xattrs(o, &to->xattrs, from->xattrs, error);
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

/*
 * Where a lower layer has a link to a directory and this layer only used the link's name in a path:
 * the new directory takes the attributes of the one that the link led to. They are looked up before
 * this layer changes anything. An opaque directory has no links of lower layers in it.
 */
static int look_behind_links(struct overlay *o, struct mkrootfs_error *error)
{
	uint32_t node = tree_walk(o->layer, TREE_ROOT);
	int status = 0;

	for (; status == 0 && node; node = tree_walk(o->layer, node)) {
		const struct tree_inode *inode = tree_inode_of(o->layer, node);
		uint32_t parent = o->twins[o->layer->nodes[node].parent], old = 0;
		size_t len;
		const char *name = tree_name(o->layer, node, &len);

		if (tree_is_directory(inode) && parent)
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
static int replace_by_directory(struct overlay *o, uint32_t node, uint32_t parent, uint32_t old,
				struct mkrootfs_error *error)
{
	const struct tree_inode *from = tree_inode_of(o->layer, node);
	struct tree_inode inode = { .mode = S_IFDIR };
	size_t len;
	const char *name = tree_name(o->layer, node, &len);
	uint32_t id = o->behind[node];
	int status;

	tree_copy_attributes(&inode, from);
	status = copy_xattrs(o, &inode.xattrs, from->xattrs, error);
	if (status == 0 && old && S_ISLNK(tree_inode_of(o->merged, old)->mode))
		status = warn_hidden_link(o, old, error);
	if (status == 0 && id == 0)
		status = tree_new_inode(o->merged, &id, &inode, error);
	if (status == 0)
		status = tree_put(o->merged, &o->twins[node], parent, name, len, id, error);
	return status;
}

static int apply_directory(struct overlay *o, uint32_t node, uint32_t parent, uint32_t old,
			   struct mkrootfs_error *error)
{
	const struct tree_inode *from = tree_inode_of(o->layer, node);

	if (!old || !tree_is_directory(tree_inode_of(o->merged, old)))
		return replace_by_directory(o, node, parent, old, error);
	o->twins[node] = old;
	if (from->flags & TREE_OPAQUE)
		tree_clear(o->merged, old);
	return update_directory(o, old, from, error);
}

static int apply_node(struct overlay *o, uint32_t node, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(o->layer, node);
	uint32_t parent = o->twins[o->layer->nodes[node].parent], old, id;
	size_t len;
	const char *name = tree_name(o->layer, node, &len);
	int status;

	old = tree_lookup(o->merged, parent, name, len);
	if (tree_is_whiteout(inode)) {
		if (old)
			tree_remove(o->merged, old);
		return 0;
	}
	if (tree_is_directory(inode))
		return apply_directory(o, node, parent, old, error);
	status = map_inode(o, &id, o->layer->nodes[node].inode, error);
	return status < 0 ? status : tree_put(o->merged, &old, parent, name, len, id, error);
}

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
	tree_copy_attributes(tree_inode_of(o->merged, found), link);
	o->inodes[o->layer->nodes[node].inode] = o->merged->nodes[found].inode;
	return 0;
}

/* Before anything changes: targets are looked up in the layers below. */
static int resolve_links(struct overlay *o, struct mkrootfs_error *error)
{
	uint32_t node = TREE_ROOT;
	int status = 0;

	for (; status == 0 && node; node = tree_walk(o->layer, node))
		if (tree_inode_of(o->layer, node)->flags & TREE_LINK)
			status = resolve_link(o, node, error);
	return status;
}

static int apply_all(struct overlay *o, struct mkrootfs_error *error)
{
	const struct tree_inode *root = tree_inode_of(o->layer, TREE_ROOT);
	uint32_t node;
	int status = resolve_links(o, error);

	o->twins[TREE_ROOT] = TREE_ROOT;
	if (status == 0 && !(root->flags & TREE_OPAQUE))
		status = look_behind_links(o, error);
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

	o.twins = calloc(layer->node_count, sizeof(*o.twins));
	o.inodes = calloc(layer->inode_count, sizeof(*o.inodes));
	o.sets = calloc(layer->xattrs.sets.count + 1u, sizeof(*o.sets));
	o.behind = calloc(layer->node_count, sizeof(*o.behind));
	if (o.twins && o.inodes && o.sets && o.behind)
		status = apply_all(&o, error);
	else
		status = error_no_memory(error);
	free(o.twins);
	free(o.inodes);
	free(o.sets);
	free(o.behind);
	return status;
}
