/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives mostly have the entries of a folder together, and sorted: as long as a directory's names
 * come in order, the last of them tells whether a name is new. Only other questions need the index,
 * and the first of them makes it, from all names so far: many layers never ask.
 */
#include "names.h"

#include <string.h>

int names_compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order ? order : (a_len > b_len) - (a_len < b_len);
}

int names_compare_to(const struct tree *tree, uint32_t node, const char *name, size_t len)
{
	size_t node_len;
	const char *node_name = tree_name(tree, node, &node_len);

	return names_compare(name, len, node_name, node_len);
}

/* The index's node of that name: the latest of that name, perhaps a removed one. */
static uint32_t probe(const struct tree *tree, uint32_t hash, uint32_t *cursor, uint32_t parent,
		      const char *name, size_t len)
{
	uint32_t node;

	*cursor = hash;
	while ((node = name_index_probe(tree->index, hash, cursor)) != 0)
		if (tree->nodes[node].parent == parent &&
		    names_compare_to(tree, node, name, len) == 0)
			break;
	return node;
}

/* A name that was removed and came again has two nodes: the later one counts. */
static void add_to_index(const struct tree *tree, uint32_t node)
{
	size_t len;
	const char *name = tree_name(tree, node, &len);
	uint32_t parent = tree->nodes[node].parent, cursor;
	uint32_t hash = name_index_hash(tree->index, parent, name, len);

	if (probe(tree, hash, &cursor, parent, name, len))
		name_index_replace(tree->index, cursor, node);
	else
		name_index_add(tree->index, hash, node);
}

/* False where memory is short. */
static bool complete_index(const struct tree *tree)
{
	struct name_index *index = tree->index;
	struct mkrootfs_error ignored;

	if (index->nodes == tree->node_count)
		return true;
	if (name_index_reserve(index, tree->node_count, &ignored) < 0)
		return false;
	for (; index->nodes < tree->node_count; index->nodes++)
		if (tree->nodes[index->nodes].inode)
			add_to_index(tree, index->nodes);
	return true;
}

static uint32_t search_children(const struct tree *tree, uint32_t directory, const char *name,
				size_t len)
{
	uint32_t child = tree_first_child(tree, directory);

	while (child && names_compare_to(tree, child, name, len) != 0)
		child = tree_next_child(tree, child);
	return child;
}

static uint32_t look_up(const struct tree *tree, uint32_t directory, const char *name, size_t len)
{
	uint32_t cursor, node;

	if (!complete_index(tree))
		return search_children(tree, directory, name, len);
	node = probe(tree, name_index_hash(tree->index, directory, name, len), &cursor, directory,
		     name, len);
	return tree->nodes[node].inode ? node : 0;
}

uint32_t names_find(const struct tree *tree, uint32_t directory, const char *name, size_t len,
		    bool *is_last)
{
	const struct tree_directory *children = tree_directory_of(tree, directory);
	int order = 1;

	if (children->last)
		order = names_compare_to(tree, children->last, name, len);
	*is_last = children->in_order && order >= 0;
	if (order == 0 && tree->nodes[children->last].inode)
		return children->last;
	return *is_last ? 0 : look_up(tree, directory, name, len);
}

void names_forget(struct tree *tree)
{
	name_index_free(tree->index);
}

struct tree_place tree_find_place(const struct tree *tree, uint32_t parent, const char *name,
				  size_t len)
{
	struct tree_place place;

	place.node = names_find(tree, parent, name, len, &place.is_last);
	return place;
}

uint32_t tree_lookup(const struct tree *tree, uint32_t parent, const char *name, size_t len)
{
	bool is_last;

	if (!tree_is_directory(tree_inode_of(tree, parent)))
		return 0;
	return names_find(tree, parent, name, len, &is_last);
}
