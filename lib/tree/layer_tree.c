/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_tree.h"

#include "../base/array.h"
#include "find.h"

#include <stdlib.h>
#include <string.h>

int layer_tree_create(struct layer_tree **out, uint32_t max_depth, struct mkrootfs_error *error)
{
	struct layer_tree *layer = calloc(1, sizeof(*layer));
	int status;

	*out = NULL;
	if (!layer)
		return error_no_memory(error);
	layer->max_depth = max_depth;
	layer->last = LAST_FOLDER_INIT;
	status = tree_create(&layer->tree, error);
	if (status < 0) {
		layer_tree_free(layer);
		return status;
	}
	*out = layer;
	return 0;
}

void layer_tree_free(struct layer_tree *layer)
{
	if (!layer)
		return;
	tree_free(layer->tree);
	last_folder_free(&layer->last);
	free(layer->links);
	deletions_free(&layer->deletions);
	free(layer);
}

/* A directory entry for a directory that is there: new attributes, the same children. */
static void update_directory(struct tree_inode *to, const struct tree_inode *from)
{
	tree_copy_mode(to, from);
	to->attributes = from->attributes;
	to->flags &= (uint16_t)~TREE_IMPLIED;
}

static int set_root(struct layer_tree *layer, const struct tree_inode *inode,
		    struct mkrootfs_error *error)
{
	if (!S_ISDIR(inode->mode))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "the root of a layer can only be a directory");
	update_directory(tree_inode_of(layer->tree, TREE_ROOT), inode);
	return 0;
}

static int put_directory(struct layer_tree *layer, uint32_t parent, const char *name, size_t len,
			 const struct tree_inode *inode, struct mkrootfs_error *error)
{
	uint32_t node;
	int status = tree_make_directory(layer->tree, &node, parent, name, len, error);

	if (status == 0)
		update_directory(tree_inode_of(layer->tree, node), inode);
	return status;
}

/* Remembers what a whiteout name asks for; *done is false for an ordinary path. */
static int handle_whiteout(struct layer_tree *layer, bool *done, const char *path,
			   const struct tree_inode *inode, struct mkrootfs_error *error)
{
	enum whiteout_kind kind;
	int status = whiteout_classify(&kind, path, error);

	*done = status < 0 || kind != WHITEOUT_NONE;
	if (status == 0 && (kind == WHITEOUT_NAME || kind == WHITEOUT_OPAQUE))
		status = deletions_add(&layer->deletions, layer->tree, kind, path, inode, error);
	return status;
}

/* A path in two: the folder's, and the last component. */
struct place {
	const char *path, *name;
	size_t folder_len, name_len;
	uint32_t folder; /* 0: not known yet */
};

static struct place place_of(const struct layer_tree *layer, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct place place = { .path = path, .name = name, .name_len = strlen(name) };

	place.folder_len = slash ? (size_t)(slash - path) : 0;
	if (last_folder_is(&layer->last, layer->tree, path, place.folder_len))
		place.folder = layer->last.directory;
	return place;
}

/* In a folder that is known only the last component can be a whiteout. */
static bool is_ordinary(const struct place *place)
{
	return place->folder && place->name[0] != '.';
}

static int find_folder(struct layer_tree *layer, struct place *place, struct mkrootfs_error *error)
{
	int status;

	if (place->folder)
		return 0;
	status = tree_make_parent(layer->tree, &place->folder, &place->name, &place->name_len,
				  place->path, layer->max_depth, 0, error);
	return status < 0 ? status
			  : last_folder_set(&layer->last, layer->tree, place->folder, place->path,
					    place->folder_len, error);
}

static int put_entry(struct layer_tree *layer, struct place *place, const struct tree_inode *inode,
		     struct mkrootfs_error *error)
{
	uint32_t node, id;
	int status = find_folder(layer, place, error);

	if (status < 0)
		return status;
	if (S_ISDIR(inode->mode))
		return put_directory(layer, place->folder, place->name, place->name_len, inode,
				     error);
	status = tree_new_inode(layer->tree, &id, inode, error);
	if (status == 0 && tree_is_whiteout(inode))
		layer->tree->inodes[id].flags |= TREE_RAW_WHITEOUT;
	return status < 0 ? status
			  : tree_put(layer->tree, &node, place->folder, place->name,
				     place->name_len, id, error);
}

int layer_tree_add(struct layer_tree *layer, const char *path, const struct tree_inode *inode,
		   struct mkrootfs_error *error)
{
	struct place place = place_of(layer, path);
	bool done = false;
	int status = 0;

	if (*path == '\0')
		return set_root(layer, inode, error);
	if (!is_ordinary(&place))
		status = handle_whiteout(layer, &done, path, inode, error);
	return done ? status : put_entry(layer, &place, inode, error);
}

static int remember_link(struct layer_tree *layer, uint32_t node, struct mkrootfs_error *error)
{
	if (array_reserve(&layer->links, &layer->link_room, layer->link_count,
			  sizeof(*layer->links), error) < 0)
		return error->status;
	layer->links[layer->link_count++] = node;
	return 0;
}

/* An inode that stands for a target which this layer does not have, or not yet. */
static int new_placeholder(struct layer_tree *layer, uint32_t *id, const char *target,
			   const struct tree_inode *link, struct mkrootfs_error *error)
{
	struct tree_inode inode = { .mode = S_IFREG, .flags = TREE_LINK };
	int status = tree_new_string(layer->tree, &inode.data, target, strlen(target), error);

	if (status == 0)
		status = tree_copy_attributes(layer->tree, &inode, layer->tree, link, error);
	return status < 0 ? status : tree_new_inode(layer->tree, id, &inode, error);
}

/* The inode that a link to target shares; *id is 0 when the layer has nothing to link to. */
static int find_target(struct layer_tree *layer, uint32_t *id, const char *target,
		       struct mkrootfs_error *error)
{
	const struct tree_inode *inode;
	uint32_t node;
	int status = tree_find(layer->tree, &node, target, 0, error);

	*id = 0;
	if (status < 0 || node == 0)
		return status;
	inode = tree_inode_of(layer->tree, node);
	if (tree_is_directory(inode) && !(inode->flags & TREE_IMPLIED))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "the hard link's target '%s' is a directory", target);
	if (tree_is_directory(inode) ||
	    (tree_is_whiteout(inode) && !(inode->flags & TREE_RAW_WHITEOUT)))
		return 0;
	*id = layer->tree->nodes[node].inode;
	return 0;
}

/*
 * Gives a waiting name the inode of its target, when that came after the link: then the target's
 * own entry was the later one, and its attributes stay.
 */
static int resolve_link(struct layer_tree *layer, uint32_t node, struct mkrootfs_error *error)
{
	struct tree *tree = layer->tree;
	uint32_t id = tree->nodes[node].inode;
	int status = 0;

	if (id == 0 || !(tree->inodes[id].flags & TREE_LINK))
		return 0;
	for (uint32_t steps = 0; status == 0 && id; steps++) {
		const struct tree_inode *inode = &tree->inodes[id];

		if (!(inode->flags & TREE_LINK))
			break;
		if (steps > layer->link_count)
			return error_set(error, MKROOTFS_ERROR_MALFORMED,
					 "hard links point at each other: '%s'",
					 tree_string(tree, inode));
		/* Shorten chains of links that came in the reverse order. */
		tree_inode_of(tree, node)->data = inode->data;
		status = find_target(layer, &id, tree_string(tree, inode), error);
	}
	if (status == 0 && id)
		tree->nodes[node].inode = id;
	return status;
}

/* A target that is a waiting name itself, and whose own target has come by now. */
static int settle_target(struct layer_tree *layer, const char *target, struct mkrootfs_error *error)
{
	uint32_t node;
	int status = layer->link_count ? tree_find(layer->tree, &node, target, 0, error) : 0;

	if (status < 0 || layer->link_count == 0 || node == 0)
		return status;
	return resolve_link(layer, node, error);
}

int layer_tree_link(struct layer_tree *layer, const char *path, const char *target,
		    const struct tree_inode *link, struct mkrootfs_error *error)
{
	struct place place;
	uint32_t node, id;
	bool done;
	int status = handle_whiteout(layer, &done, path, link, error);

	if (done)
		return status;
	if (*path == '\0')
		return set_root(layer, link, error);
	status = settle_target(layer, target, error);
	if (status == 0)
		status = find_target(layer, &id, target, error);
	if (status == 0 && id == 0)
		status = new_placeholder(layer, &id, target, link, error);
	else if (status == 0)
		status = tree_copy_attributes(layer->tree, &layer->tree->inodes[id], layer->tree,
					      link, error);
	place = place_of(layer, path);
	if (status == 0)
		status = find_folder(layer, &place, error);
	if (status == 0)
		status = tree_put(layer->tree, &node, place.folder, place.name, place.name_len, id,
				  error);
	if (status == 0 && (layer->tree->inodes[id].flags & TREE_LINK))
		status = remember_link(layer, node, error);
	return status;
}

int layer_tree_finish(struct layer_tree *layer, struct mkrootfs_error *error)
{
	char path[512];
	int status = 0;

	/* The latest first, so that of a chain the end is resolved before the rest. */
	for (uint32_t i = layer->link_count; status == 0 && i-- > 0;) {
		status = resolve_link(layer, layer->links[i], error);
		if (status < 0) {
			tree_path(layer->tree, layer->links[i], path, sizeof(path));
			return error_prefix(error, "tar entry '%s': ", path);
		}
	}
	if (status == 0)
		status = deletions_apply(&layer->deletions, layer->tree, layer->max_depth, error);
	return status < 0 ? status : tree_seal(layer->tree, error);
}
