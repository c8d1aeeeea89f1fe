/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_tree.h"

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
	layer_links_free(&layer->links);
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
	status = layer_links_find(&layer->links, layer->tree, &id, target, error);
	if (status == 0 && id == 0)
		status = layer_links_stand_in(layer->tree, &id, target, link, error);
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
		status = layer_links_add(&layer->links, node, error);
	return status;
}

int layer_tree_finish(struct layer_tree *layer, struct mkrootfs_error *error)
{
	int status = layer_links_resolve(&layer->links, layer->tree, error);

	if (status == 0)
		status = deletions_apply(&layer->deletions, layer->tree, layer->max_depth, error);
	return status < 0 ? status : tree_seal(layer->tree, error);
}
