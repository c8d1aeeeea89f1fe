/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table from (parent, name) to node: open addressing, 8 bytes a slot, nothing is deleted. */
#ifndef MKROOTFS_TREE_NAME_INDEX_H
#define MKROOTFS_TREE_NAME_INDEX_H

#include "../base/error.h"

struct name_slot {
	uint32_t hash;
	uint32_t node; /* 0: free */
};

/* A zeroed struct is an empty index. */
struct name_index {
	struct name_slot *slots;
	uint32_t mask; /* number of slots less one */
	uint32_t used;
};

uint32_t name_index_hash(const struct name_index *index, uint32_t parent, const char *name,
			 size_t len);
/*
 * Steps through the nodes stored under hash: start with *cursor = hash, call until 0 comes. The
 * caller compares parent and name.
 */
uint32_t name_index_probe(const struct name_index *index, uint32_t hash, uint32_t *cursor);
int name_index_add(struct name_index *index, uint32_t hash, uint32_t node,
		   struct mkrootfs_error *error);
void name_index_free(struct name_index *index);

#endif
