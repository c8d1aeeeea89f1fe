/* SPDX-License-Identifier: Apache-2.0 */
#include "export_order.h"

#include "../base/path.h"
#include "../tree/chunk_map.h"
#include "../tree/whiteout.h"

#include <stdlib.h>

bool export_is_deletion(const struct tree *tree, uint32_t node)
{
	const struct tree_inode *inode = tree_inode_of(tree, node);
	const struct tree_attributes *attributes = tree_attributes_of(tree, inode);
	size_t len;

	if (!tree_is_whiteout(inode))
		return false;
	tree_name(tree, node, &len);
	return (inode->mode & 07777) == 0 && attributes->uid == 0 && attributes->gid == 0 &&
	       attributes->xattrs == 0 && inode->nlink == 1 &&
	       len + WHITEOUT_PREFIX_LEN <= PATH_NAME_MAX;
}

static uint64_t address_of(const struct tree *tree, const struct tree_inode *inode)
{
	const struct chunk_map *map;

	if (!S_ISREG(inode->mode) || inode->size == 0 || (inode->flags & TREE_LINK))
		return 0;
	if (!(inode->flags & TREE_CHUNKED))
		return inode->data;
	map = chunk_map_of(tree, inode);
	for (uint32_t i = 0; i < map->count; i++)
		if (map->address[i] != CHUNK_HOLE)
			return map->address[i];
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct export_name *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

bool export_takes_part(const struct tree *tree, uint32_t node)
{
	return !tree_is_directory(tree_inode_of(tree, node)) && !export_is_deletion(tree, node);
}

/* firsts: of each inode the place of its first name in the list, plus one. */
static void collect(struct export_order *order, uint32_t *firsts, const struct tree *tree)
{
	for (uint32_t node = TREE_ROOT; node; node = tree_walk(tree, node)) {
		uint32_t inode = tree->nodes[node].inode, place = (uint32_t)order->count;
		struct export_name *name = &order->names[place];

		if (!export_takes_part(tree, node))
			continue;
		*name = (struct export_name){ .address = address_of(tree, &tree->inodes[inode]),
					      .first = place,
					      .place = place,
					      .node = node };
		if (firsts[inode]) {
			name->first = firsts[inode] - 1;
			name->target = order->names[name->first].node;
		} else {
			firsts[inode] = place + 1;
		}
		order->count++;
	}
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Whether the list, in the order of a walk, asks for data at rising addresses, but for those that
 * it had before. seen has room for all names.
 */
static bool rises(const struct export_order *order, uint64_t *seen)
{
	size_t count = 0;

	for (size_t i = 0; i < order->count; i++) {
		uint64_t address = order->names[i].address;

		if (address == 0 || order->names[i].target)
			continue;
		if (count == 0 || address > seen[count - 1])
			seen[count++] = address;
		else if (!bsearch(&address, seen, count, sizeof(*seen), compare_addresses))
			return false;
	}
	return true;
}

static int sort(struct export_order *order, struct mkrootfs_error *error)
{
	uint64_t *seen = calloc(order->count + 1, sizeof(*seen));

	if (!seen)
		return error_no_memory(error);
	order->is_walk = rises(order, seen);
	free(seen);
	if (!order->is_walk)
		qsort(order->names, order->count, sizeof(*order->names), compare);
	return 0;
}

int export_order_make(struct export_order *order, const struct tree *tree, bool keeps_places,
		      struct mkrootfs_error *error)
{
	uint32_t *firsts = calloc(tree->inode_count, sizeof(*firsts));

	*order = (struct export_order){ .names = calloc(tree->node_count, sizeof(*order->names)) };
	if (!firsts || !order->names) {
		free(firsts);
		export_order_free(order);
		return error_no_memory(error);
	}
	collect(order, firsts, tree);
	free(firsts);
	order->is_walk = true;
	return keeps_places ? sort(order, error) : 0;
}

void export_order_free(struct export_order *order)
{
	free(order->names);
	*order = (struct export_order){ 0 };
}
