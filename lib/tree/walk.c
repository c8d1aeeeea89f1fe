/* SPDX-License-Identifier: Apache-2.0 */
/* From node to node: removing all below one, visiting all, naming one. */
#include "tree.h"

#include <string.h>

void tree_clear(struct tree *tree, uint32_t node)
{
	uint32_t child = tree_first_child(tree, node);

	for (; child; child = tree_next_child(tree, child))
		tree_remove(tree, child);
	*tree_directory_of(tree, node) = (struct tree_directory){ .in_order = true };
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
 * A removed name keeps its node, which everybody passes over: a walk that stands there goes on, and
 * the index needs no deletion. Children go before their parents, each once; a loop, since a hostile
 * image may be deeper than the stack.
 */
void tree_remove(struct tree *tree, uint32_t node)
{
	uint32_t at, next;

	if (tree->nodes[node].inode == 0)
		return;
	tree->removals++;
	for (at = bottom(tree, node); at != node;) {
		next = tree_next_child(tree, at);
		tree->nodes[at].inode = 0;
		at = next ? bottom(tree, next) : tree->nodes[at].parent;
	}
	tree->nodes[node].inode = 0;
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

/* The first directory from here on among siblings. */
static uint32_t skip_files(const struct tree *tree, uint32_t node)
{
	while (node && !tree_is_directory(tree_inode_of(tree, node)))
		node = tree_next_child(tree, node);
	return node;
}

uint32_t tree_walk_directories_past(const struct tree *tree, uint32_t node)
{
	uint32_t next = 0;

	while (next == 0 && node != TREE_ROOT) {
		next = skip_files(tree, tree_next_child(tree, node));
		node = tree->nodes[node].parent;
	}
	return next;
}

uint32_t tree_walk_directories(const struct tree *tree, uint32_t node)
{
	uint32_t next = skip_files(tree, tree_first_child(tree, node));

	return next ? next : tree_walk_directories_past(tree, node);
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
