/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owner, time and xattrs of inodes: most have them in common with a neighbour, so an inode holds
 * the number of its attributes. 0 is that of zeros: root, 1970, none.
 *
 *	attribute_pool_init(&pool, error);
 *	attribute_pool_add(&pool, &number, &attributes, error);
 *	uid = pool.list[number].uid;
 *	attribute_pool_free(&pool);
 *
 * Equal ones are found again in a table of bounded size, which forgets: they may stand here twice.
 * At worst each inode has its own, and they take as much as they would in the inode.
 */
#ifndef MKROOTFS_TREE_ATTRIBUTE_POOL_H
#define MKROOTFS_TREE_ATTRIBUTE_POOL_H

#include "../base/error.h"

struct tree_attributes {
	int64_t mtime;
	uint32_t mtime_nsec;
	uint32_t uid;
	uint32_t gid;
	uint32_t xattrs; /* set of the tree's pool; 0: none */
};

struct attribute_pool {
	struct tree_attributes *list; /* moves when it grows */
	uint32_t count;
	size_t room;
	uint32_t last;	  /* number that was asked for before */
	uint32_t *recent; /* by hash: the latest number, 0 at first */
	uint32_t mask;	  /* number of these less one */
};

int attribute_pool_init(struct attribute_pool *pool, struct mkrootfs_error *error);
/* Forgets all but number 0, and keeps the memory. */
void attribute_pool_clear(struct attribute_pool *pool);
int attribute_pool_add(struct attribute_pool *pool, uint32_t *number,
		       const struct tree_attributes *attributes, struct mkrootfs_error *error);
void attribute_pool_free(struct attribute_pool *pool);

#endif
