/* SPDX-License-Identifier: Apache-2.0 */
/* The last step before a tree is laid out: children in order, links counted. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

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
	int order = memcmp(left + 1, right + 1, left[0] < right[0] ? left[0] : right[0]);

	return order ? order : (int)left[0] - (int)right[0];
}

static int append(struct sort_list *list, const struct tree *tree, uint32_t node,
		  struct mkrootfs_error *error)
{
	if (list->count == list->room) {
		size_t room = list->room ? 2 * list->room : 256;
		struct sort_item *items = realloc(list->items, room * sizeof(*items));

		if (!items)
			return error_no_memory(error);
		list->items = items;
		list->room = room;
	}
	list->items[list->count].name = arena_at(&tree->arena, tree->nodes[node].name);
	list->items[list->count++].node = node;
	return 0;
}

static void relink(struct tree *tree, uint32_t directory, const struct sort_list *list)
{
	uint32_t next = 0;

	for (size_t i = list->count; i-- > 0;) {
		tree->nodes[list->items[i].node].next = next;
		next = list->items[i].node;
	}
	tree->nodes[directory].first = next;
}

static void reverse(struct sort_list *list)
{
	for (size_t i = 0; i < list->count / 2; i++) {
		struct sort_item item = list->items[i];

		list->items[i] = list->items[list->count - 1 - i];
		list->items[list->count - 1 - i] = item;
	}
}

/* Whether each name stands before the next, or, with order -1, behind it. */
static bool is_sorted(const struct sort_list *list, int order)
{
	size_t i = 1;

	while (i < list->count && order * compare(&list->items[i - 1], &list->items[i]) < 0)
		i++;
	return i >= list->count;
}

/* Most come in order, or, since new children go to the head of the list, against it. */
static void sort(struct sort_list *list)
{
	if (is_sorted(list, -1))
		reverse(list);
	else if (!is_sorted(list, 1))
		qsort(list->items, list->count, sizeof(*list->items), compare);
}

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
		sort(list);
	relink(tree, directory, list);
	return 0;
}

static void count_links(struct tree *tree)
{
	uint32_t node = TREE_ROOT;

	for (uint32_t i = 0; i < tree->inode_count; i++)
		tree->inodes[i].nlink = 0;
	for (; node; node = tree_walk(tree, node)) {
		struct tree_inode *inode = tree_inode_of(tree, node);

		if (!tree_is_directory(inode)) {
			inode->nlink++;
			continue;
		}
		/* Its name, its own ".", and the ".." of each subdirectory. */
		inode->nlink += 2;
		if (node != TREE_ROOT)
			tree_inode_of(tree, tree->nodes[node].parent)->nlink++;
	}
}

int tree_seal(struct tree *tree, struct mkrootfs_error *error)
{
	struct sort_list list = { 0 };
	uint32_t node = TREE_ROOT;
	int status = 0;

	for (; status == 0 && node; node = tree_walk(tree, node))
		if (tree_is_directory(tree_inode_of(tree, node)))
			status = sort_children(tree, node, &list, error);
	free(list.items);
	if (status == 0)
		count_links(tree);
	return status;
}
