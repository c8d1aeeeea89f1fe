/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table of names to nodes: open addressing, 8 bytes a slot, nothing is deleted. What a name
 * is, the caller knows: it compares.
 *
 *	name_index_reserve(&index, count, error);
 *	cursor = hash;
 *	while ((node = name_index_probe(&index, hash, &cursor)) != 0 && !is_it(node))
 *		;
 *	node ? name_index_replace(&index, cursor, newer) : name_index_add(&index, hash, newer);
 */
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
	uint32_t mask;	/* number of slots less one */
	uint32_t nodes; /* of the tree's, counted by the caller: those below were added */
};

uint32_t name_index_hash(const struct name_index *index, uint32_t parent, const char *name,
			 size_t len);
/* Makes room for count names in all. */
int name_index_reserve(struct name_index *index, uint32_t count, struct mkrootfs_error *error);
/*
 * Steps through the nodes stored under hash: start with *cursor = hash, call until 0 comes. The
 * caller compares parent and name.
 */
uint32_t name_index_probe(const struct name_index *index, uint32_t hash, uint32_t *cursor);
/* There must be room. */
void name_index_add(struct name_index *index, uint32_t hash, uint32_t node);
/* Another node in the place of the one that the last probe found. */
void name_index_replace(struct name_index *index, uint32_t cursor, uint32_t node);
void name_index_free(struct name_index *index);

#endif
