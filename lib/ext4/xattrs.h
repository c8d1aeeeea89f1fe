/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extended attributes: as many of a set as fit in the rest of the inode, the others in one block
 * that all inodes with the same set may share.
 *
 *	struct ext4_xattrs *x;
 *	ext4_xattrs_create(&x, error);
 *	ext4_xattrs_encode(x, pool, set, error);	then x->body, x->has_block, x->block
 *	ext4_xattr_block_finish(x->block, block, users, seed);
 *	ext4_xattrs_free(x);
 */
#ifndef MKROOTFS_EXT4_XATTRS_H
#define MKROOTFS_EXT4_XATTRS_H

#include "../tree/xattr_pool.h"
#include "format.h"

struct ext4_xattr; /* one in work */

struct ext4_xattrs {
	uint32_t set; /* that was encoded last; 0: none */
	bool has_body, has_block;
	uint8_t body[EXT4_XATTR_BODY_SIZE]; /* what the inode has behind its own fields */
	uint8_t block[EXT4_BLOCK_SIZE];
	struct ext4_xattr *list;
	size_t room;
	uint8_t *acls; /* bytes of converted values */
	size_t acls_room;
};

int ext4_xattrs_create(struct ext4_xattrs **out, struct mkrootfs_error *error);
void ext4_xattrs_free(struct ext4_xattrs *xattrs);

/* UNSUPPORTED names the attribute that ext4 has no place or no name for. */
int ext4_xattrs_encode(struct ext4_xattrs *xattrs, const struct xattr_pool *pool, uint32_t set,
		       struct mkrootfs_error *error);
/* users: inodes that refer to it, at most EXT4_XATTR_REFCOUNT_MAX. number: where it will be. */
void ext4_xattr_block_finish(uint8_t block[EXT4_BLOCK_SIZE], uint64_t number, uint32_t users,
			     uint32_t seed);

#endif
