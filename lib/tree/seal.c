/* SPDX-License-Identifier: Apache-2.0 */
/* The last step before a tree is laid out: children in order, links counted. */
#include "../base/array.h"
#include "names.h"

#include <stdlib.h>

struct sort_item {
	const uint8_t *name; /* length byte, then the bytes */
	uint32_t node;
};

struct sort_list {
	struct sort_item *items;
	size_t count, room;
};

static int compare(const void *a, const void *b)
{
	const uint8_t *left = ((const struct sort_item *)a)->name;
	const uint8_t *right = ((const struct sort_item *)b)->name;

	return names_compare((const char *)left + 1, left[0], (const char *)right + 1, right[0]);
}

static int append(struct sort_list *list, const struct tree *tree, uint32_t node,
		  struct mkrootfs_error *error)
{
	if (array_reserve(&list->items, &list->room, list->count, sizeof(*list->items), error) < 0)
		return error->status;
	list->items[list->count].name = arena_at(&tree->arena, tree->nodes[node].name);
	list->items[list->count++].node = node;
	return 0;
}

/* Without what was removed. */
static void relink(struct tree *tree, uint32_t node, const struct sort_list *list)
{
	struct tree_directory *directory = tree_directory_of(tree, node);
	uint32_t next = 0;

	directory->last = list->count ? list->items[list->count - 1].node : 0;
	for (size_t i = list->count; i-- > 0;) {
		tree->nodes[list->items[i].node].next = next;
		next = list->items[i].node;
	}
	directory->first = next;
	directory->in_order = true;
}

/* GNU tar has the names of a folder as the host's filesystem keeps them: in no order. */
static int sort_children(struct tree *tree, uint32_t directory, struct sort_list *list,
			 struct mkrootfs_error *error)
{
	uint32_t child = tree_first_child(tree, directory);
	int status = 0;

	list->count = 0;
	for (; status == 0 && child; child = tree_next_child(tree, child))
		status = append(list, tree, child, error);
	if (status < 0)
		return status;
	if (list->count > 1)
		qsort(list->items, list->count, sizeof(*list->items), compare);
	relink(tree, directory, list);
	return 0;
}

/* Without the children that were removed, where sorting has not left them out already. */
static void drop_removed(struct tree *tree, struct tree_directory *directory)
{
	uint32_t *link = &directory->first, last = 0;

	for (; *link; link = &tree->nodes[last].next) {
		*link = tree_live(tree, *link);
		if (*link == 0)
			break;
		last = *link;
	}
	directory->last = last;
}

/* A directory's links: its name, its own ".", and the ".." of each subdirectory. */
static void count_links(struct tree *tree, uint32_t directory)
{
	uint32_t child = tree_directory_of(tree, directory)->first, links = 2;

	for (; child; child = tree->nodes[child].next) {
		struct tree_inode *inode = tree_inode_of(tree, child);

		if (tree_is_directory(inode))
			links++;
		else
			inode->nlink++;
	}
	tree_inode_of(tree, directory)->nlink = links;
}

/* Every node that is left is part of the tree, so their order does not matter here. */
int tree_seal(struct tree *tree, struct mkrootfs_error *error)
{
	struct sort_list list = { 0 };
	int status = 0;

	names_forget(tree);
	for (uint32_t i = 0; i < tree->inode_count; i++)
		tree->inodes[i].nlink = 0;
	for (uint32_t node = TREE_ROOT; status == 0 && node < tree->node_count; node++) {
		if (!tree_is_directory(tree_inode_of(tree, node)))
			continue;
		if (!tree_directory_of(tree, node)->in_order)
			status = sort_children(tree, node, &list, error);
		else if (tree->removals)
			drop_removed(tree, tree_directory_of(tree, node));
		count_links(tree, node);
	}
	free(list.items);
	return status;
}
