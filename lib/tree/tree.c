/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

static int grow(void **array, uint32_t *room, size_t item_size, struct mkrootfs_error *error)
{
	uint32_t bigger = *room ? (*room > UINT32_MAX / 2 ? UINT32_MAX : 2 * *room) : 256;
	void *grown;

	if (bigger == *room)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more than %u names or inodes",
				 *room);
	grown = realloc(*array, bigger * item_size);
	if (!grown)
		return error_no_memory(error);
	*array = grown;
	*room = bigger;
	return 0;
}

int tree_new_inode(struct tree *tree, uint32_t *inode, const struct tree_inode *attributes,
		   struct mkrootfs_error *error)
{
	*inode = 0;
	if (tree->inode_count == tree->inode_room) {
		int status = grow((void **)&tree->inodes, &tree->inode_room, sizeof(*tree->inodes),
				  error);

		if (status < 0)
			return status;
	}
	*inode = tree->inode_count++;
	tree->inodes[*inode] = *attributes;
	return 0;
}

static int new_node(struct tree *tree, uint32_t *node, const char *name, size_t len,
		    struct mkrootfs_error *error)
{
	uint8_t *bytes;
	uint32_t reference;
	int status = 0;

	if (tree->node_count == tree->node_room)
		status = grow((void **)&tree->nodes, &tree->node_room, sizeof(*tree->nodes), error);
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

int tree_new_string(struct tree *tree, uint64_t *reference, const char *text, size_t len,
		    struct mkrootfs_error *error)
{
	uint32_t place;
	uint8_t *bytes;
	int status = arena_alloc(&tree->arena, &place, &bytes, len + 1, error);

	*reference = place;
	if (status == 0)
		memcpy(bytes, text, len);
	return status;
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
	name_index_free(&tree->index);
	arena_free(&tree->arena);
	xattr_pool_free(&tree->xattrs);
	free(tree);
}

/* The node of that name, also a removed one. */
static uint32_t find(const struct tree *tree, uint32_t hash, uint32_t parent, const char *name,
		     size_t len)
{
	uint32_t cursor = hash, node;

	while ((node = name_index_probe(&tree->index, hash, &cursor)) != 0) {
		size_t node_len;
		const char *node_name = tree_name(tree, node, &node_len);

		if (tree->nodes[node].parent == parent && node_len == len &&
		    !memcmp(node_name, name, len))
			break;
	}
	return node;
}

uint32_t tree_lookup(const struct tree *tree, uint32_t parent, const char *name, size_t len)
{
	uint32_t hash = name_index_hash(&tree->index, parent, name, len);
	uint32_t node = find(tree, hash, parent, name, len);

	return node && tree->nodes[node].inode ? node : 0;
}

/* A new node at the head of its parent's children; tree_seal sorts them. */
static int add_child(struct tree *tree, uint32_t *node, uint32_t hash, uint32_t parent,
		     const char *name, size_t len, struct mkrootfs_error *error)
{
	int status = new_node(tree, node, name, len, error);

	if (status == 0)
		status = name_index_add(&tree->index, hash, *node, error);
	if (status < 0)
		return status;
	tree->nodes[*node].parent = parent;
	tree->nodes[*node].next = tree->nodes[parent].first;
	tree->nodes[parent].first = *node;
	return 0;
}

int tree_put(struct tree *tree, uint32_t *node, uint32_t parent, const char *name, size_t len,
	     uint32_t inode, struct mkrootfs_error *error)
{
	uint32_t hash = name_index_hash(&tree->index, parent, name, len);
	int status = 0;

	*node = find(tree, hash, parent, name, len);
	if (*node == 0)
		status = add_child(tree, node, hash, parent, name, len, error);
	else
		tree_remove(tree, *node);
	if (status == 0)
		tree->nodes[*node].inode = inode;
	return status;
}

void tree_clear(struct tree *tree, uint32_t node)
{
	uint32_t child = tree_first_child(tree, node);

	for (; child; child = tree_next_child(tree, child))
		tree_remove(tree, child);
}

/* The first node without children on the way down. */
static uint32_t bottom(const struct tree *tree, uint32_t node)
{
	uint32_t child = node;

	while (child) {
		node = child;
		child = tree_is_directory(tree_inode_of(tree, node)) ? tree_first_child(tree, node)
								     : 0;
	}
	return node;
}

/*
 * A removed name keeps its node, off the tree: the node comes back to life when the name does, so
 * that the index needs no deletion. Children go before their parents, each once; a loop, since a
 * hostile image may be deeper than the stack.
 */
void tree_remove(struct tree *tree, uint32_t node)
{
	uint32_t at, next;

	if (tree->nodes[node].inode == 0)
		return;
	for (at = bottom(tree, node); at != node;) {
		next = tree_next_child(tree, at);
		tree->nodes[at].inode = 0;
		at = next ? bottom(tree, next) : tree->nodes[at].parent;
	}
	tree->nodes[node].inode = 0;
}

uint32_t tree_first_child(const struct tree *tree, uint32_t node)
{
	uint32_t child = tree->nodes[node].first;

	while (child && tree->nodes[child].inode == 0)
		child = tree->nodes[child].next;
	return child;
}

uint32_t tree_next_child(const struct tree *tree, uint32_t node)
{
	do
		node = tree->nodes[node].next;
	while (node && tree->nodes[node].inode == 0);
	return node;
}

uint32_t tree_walk(const struct tree *tree, uint32_t node)
{
	uint32_t next = 0;

	if (tree_is_directory(tree_inode_of(tree, node)))
		next = tree_first_child(tree, node);
	return next ? next : tree_walk_past(tree, node);
}

uint32_t tree_walk_past(const struct tree *tree, uint32_t node)
{
	uint32_t next = 0;

	while (next == 0 && node != TREE_ROOT) {
		next = tree_next_child(tree, node);
		node = tree->nodes[node].parent;
	}
	return next;
}

void tree_path(const struct tree *tree, uint32_t node, char *out, size_t size)
{
	char *at = out + size - 1;

	*at = '\0';
	for (; node != TREE_ROOT; node = tree->nodes[node].parent) {
		size_t len;
		const char *name = tree_name(tree, node, &len);

		if ((size_t)(at - out) < len + (*at != '\0'))
			break;
		if (*at)
			*--at = '/';
		at -= len;
		memcpy(at, name, len);
	}
	memmove(out, at, strlen(at) + 1);
}

size_t tree_path_length(const struct tree *tree, uint32_t node)
{
	size_t total = 0, len;

	for (; node != TREE_ROOT; node = tree->nodes[node].parent) {
		tree_name(tree, node, &len);
		total += len + (total > 0);
	}
	return total;
}
