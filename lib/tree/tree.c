/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include "../base/array.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more of what 32 bits number. */
static int reserve(void *array, size_t *room, uint32_t count, size_t item_size,
		   struct mkrootfs_error *error)
{
	if (count == UINT32_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more than %u names or inodes",
				 count);
	return array_reserve(array, room, count, item_size, error);
}

static int new_directory(struct tree *tree, uint32_t *index, struct mkrootfs_error *error)
{
	int status = reserve(&tree->directories, &tree->directory_room, tree->directory_count,
			     sizeof(*tree->directories), error);

	if (status < 0)
		return status;
	*index = tree->directory_count++;
	tree->directories[*index] = (struct tree_directory){ .in_order = true };
	return 0;
}

int tree_new_inode(struct tree *tree, uint32_t *inode, const struct tree_inode *made,
		   struct mkrootfs_error *error)
{
	uint32_t data = made->data;
	int status = reserve(&tree->inodes, &tree->inode_room, tree->inode_count,
			     sizeof(*tree->inodes), error);

	*inode = 0;
	if (status == 0 && tree_is_directory(made))
		status = new_directory(tree, &data, error);
	if (status < 0)
		return status;
	*inode = tree->inode_count++;
	tree->inodes[*inode] = *made;
	tree->inodes[*inode].data = data;
	return 0;
}

static int new_node(struct tree *tree, uint32_t *node, const char *name, size_t len,
		    struct mkrootfs_error *error)
{
	uint8_t *bytes;
	uint32_t reference;
	int status = reserve(&tree->nodes, &tree->node_room, tree->node_count, sizeof(*tree->nodes),
			     error);

	if (status == 0)
		status = arena_alloc(&tree->arena, &reference, &bytes, len + 1, error);
	if (status < 0)
		return status;
	bytes[0] = (uint8_t)len;
	memcpy(bytes + 1, name, len);
	*node = tree->node_count++;
	tree->nodes[*node] = (struct tree_node){ .name = reference };
	return 0;
}

int tree_new_string(struct tree *tree, uint32_t *reference, const char *text, size_t len,
		    struct mkrootfs_error *error)
{
	uint8_t *bytes;
	int status = arena_alloc(&tree->arena, reference, &bytes, len + 1, error);

	if (status < 0)
		return status;
	memcpy(bytes, text, len);
	bytes[len] = '\0';
	return 0;
}

static int add_root(struct tree *tree, struct mkrootfs_error *error)
{
	static const struct tree_inode unused;
	const struct tree_inode root = { .mode = S_IFDIR | 0755, .flags = TREE_IMPLIED };
	uint32_t id;
	int status = tree_new_inode(tree, &id, &unused, error);

	if (status == 0)
		status = new_node(tree, &id, "", 0, error);
	if (status == 0)
		status = tree_new_inode(tree, &id, &root, error);
	if (status == 0)
		status = new_node(tree, &id, "", 0, error);
	if (status == 0)
		tree->nodes[TREE_ROOT].inode = TREE_ROOT;
	return status;
}

int tree_create(struct tree **out, struct mkrootfs_error *error)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	int status;

	*out = NULL;
	if (!tree)
		return error_no_memory(error);
	tree->index = calloc(1, sizeof(*tree->index));
	status = tree->index ? attribute_pool_init(&tree->attributes, error)
			     : error_no_memory(error);
	if (status == 0)
		status = add_root(tree, error);
	if (status < 0) {
		tree_free(tree);
		return status;
	}
	*out = tree;
	return 0;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	free(tree->nodes);
	free(tree->inodes);
	free(tree->directories);
	if (tree->index)
		names_forget(tree);
	free(tree->index);
	arena_free(&tree->arena);
	attribute_pool_free(&tree->attributes);
	xattr_pool_free(&tree->xattrs);
	free(tree);
}

int tree_reset(struct tree *tree, struct mkrootfs_error *error)
{
	names_forget(tree);
	arena_free(&tree->arena);
	attribute_pool_clear(&tree->attributes);
	xattr_pool_free(&tree->xattrs);
	tree->node_count = tree->inode_count = tree->directory_count = 0;
	tree->removals = 0;
	return add_root(tree, error);
}

/* A new node behind its parent's children. */
static int add_child(struct tree *tree, uint32_t *node, uint32_t parent, const char *name,
		     size_t len, bool is_last, struct mkrootfs_error *error)
{
	struct tree_directory *directory = tree_directory_of(tree, parent);
	int status = new_node(tree, node, name, len, error);

	if (status < 0)
		return status;
	tree->nodes[*node].parent = parent;
	if (directory->last)
		tree->nodes[directory->last].next = *node;
	else
		directory->first = *node;
	directory->last = *node;
	directory->in_order = is_last;
	return 0;
}

int tree_put_at(struct tree *tree, struct tree_place *place, uint32_t parent, const char *name,
		size_t len, uint32_t inode, struct mkrootfs_error *error)
{
	int status = 0;

	if (place->node == 0)
		status = add_child(tree, &place->node, parent, name, len, place->is_last, error);
	else
		tree_remove(tree, place->node);
	if (status == 0)
		tree->nodes[place->node].inode = inode;
	return status;
}

int tree_put(struct tree *tree, uint32_t *node, uint32_t parent, const char *name, size_t len,
	     uint32_t inode, struct mkrootfs_error *error)
{
	struct tree_place place = tree_find_place(tree, parent, name, len);
	int status = tree_put_at(tree, &place, parent, name, len, inode, error);

	*node = place.node;
	return status;
}
