/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

static uint64_t intern_memory(const struct intern *table)
{
	uint64_t slots = table->slots ? table->mask + 1ull : 0;

	return arena_in_use(&table->arena) + (table->count + slots) * sizeof(uint32_t);
}

/* Arrays grow by doubling, but what was never touched takes no memory. */
uint64_t tree_memory(const struct tree *tree)
{
	return (uint64_t)tree->node_count * sizeof(*tree->nodes) +
	       (uint64_t)tree->inode_count * sizeof(*tree->inodes) +
	       (uint64_t)tree->directory_count * sizeof(*tree->directories) +
	       (uint64_t)tree->attributes.count * sizeof(*tree->attributes.list) +
	       arena_in_use(&tree->arena) + intern_memory(&tree->xattrs.items) +
	       intern_memory(&tree->xattrs.sets);
}
