/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a tree's xattrs stand in an EROFS image: what several inodes have is stored once, in the
 * shared area, where that takes less room; the rest stands behind each inode.
 *
 *	erofs_xattr_table_build(&t, tree, error);
 *	size = erofs_xattr_ibody(&t, set);
 *	erofs_xattr_place(&t, offset);		once the shared area has a place
 *	erofs_xattr_encode(&t, set, out);
 *	erofs_xattr_encode_shared(&t, out);
 *	erofs_xattr_table_free(&t);
 */
#ifndef MKROOTFS_EROFS_XATTR_TABLE_H
#define MKROOTFS_EROFS_XATTR_TABLE_H

#include "../tree/tree.h"
#include "format.h"

struct erofs_xattr_table {
	const struct xattr_pool *pool;
	uint32_t *offsets;     /* by item: place in the shared area, or UINT32_MAX for inline */
	uint32_t *ibody_sizes; /* by set, bytes */
	uint32_t shared_size;  /* bytes of the shared area */
	uint32_t first_id;     /* shared id of the area's start */
};

/* The tree must be sealed. Fails with LIMIT, naming the path, when an inode's xattrs do not fit. */
int erofs_xattr_table_build(struct erofs_xattr_table *table, const struct tree *tree,
			    struct mkrootfs_error *error);
void erofs_xattr_table_free(struct erofs_xattr_table *table);

/* Bytes behind an inode: 0 for the empty set. */
uint32_t erofs_xattr_ibody(const struct erofs_xattr_table *table, uint32_t set);
/* i_xattr_icount for such a body. */
uint16_t erofs_xattr_icount(const struct erofs_xattr_table *table, uint32_t set);

/* The shared area starts at offset, a multiple of 4, from the start of block xattr_blkaddr. */
void erofs_xattr_place(struct erofs_xattr_table *table, uint32_t offset);
/* Writes erofs_xattr_ibody(set) bytes. */
void erofs_xattr_encode(const struct erofs_xattr_table *table, uint32_t set, uint8_t *out);
/* h_name_filter of a set. */
uint32_t erofs_xattr_filter(const struct xattr_pool *pool, uint32_t set);
/* Writes shared_size bytes. */
void erofs_xattr_encode_shared(const struct erofs_xattr_table *table, uint8_t *out);

#endif
