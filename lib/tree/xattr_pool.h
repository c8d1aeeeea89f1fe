/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extended attributes, each distinct name and value stored once, and each distinct set of them too:
 * an inode holds the number of its set, 0 for none.
 *
 *	struct xattr_entry list[] = { { "user.a", 6, value, 1 } };
 *	xattr_pool_add(&pool, &set, list, 1, error);
 *	for (i = 0; i < xattr_set_count(&pool, set); i++)
 *		xattr_set_get(&pool, set, i, &entry);
 */
#ifndef MKROOTFS_TREE_XATTR_POOL_H
#define MKROOTFS_TREE_XATTR_POOL_H

#include "../base/intern.h"

#include <stdbool.h>

#define XATTR_NAME_MAX_BYTES 255    /* of the full name, the limit of Linux */
#define XATTR_VALUE_MAX_BYTES 65535 /* the limit of EROFS : 16 bits */

struct xattr_entry {
	const char *name; /* full, "user.comment"; no NUL needed, none promised */
	size_t name_len;
	const uint8_t *value;
	size_t value_len;
};

/* A zeroed struct is an empty pool. */
struct xattr_pool {
	struct intern items; /* name length (1 byte), name, value */
	struct intern sets;  /* item numbers (4 bytes each, host order), sorted by name */
};

/*
 * Finds or adds a set. Order does not matter; of two entries with one name the later wins. Names
 * and values are copied. Fails with MALFORMED on names or values past the limits.
 */
int xattr_pool_add(struct xattr_pool *pool, uint32_t *set, const struct xattr_entry *list,
		   size_t count, struct mkrootfs_error *error);
/* The set base with one entry more, or with its value replaced. */
int xattr_pool_with(struct xattr_pool *pool, uint32_t *set, uint32_t base,
		    const struct xattr_entry *entry, struct mkrootfs_error *error);
/* A set of one pool in another. */
int xattr_pool_copy(struct xattr_pool *to, uint32_t *set, const struct xattr_pool *from,
		    uint32_t from_set, struct mkrootfs_error *error);

uint32_t xattr_set_count(const struct xattr_pool *pool, uint32_t set);
/* The item number at a place of the set. */
uint32_t xattr_set_item(const struct xattr_pool *pool, uint32_t set, uint32_t index);
void xattr_item_get(const struct xattr_pool *pool, uint32_t item, struct xattr_entry *entry);
void xattr_set_get(const struct xattr_pool *pool, uint32_t set, uint32_t index,
		   struct xattr_entry *entry);

bool xattr_entry_is(const struct xattr_entry *entry, const char *name);
void xattr_pool_free(struct xattr_pool *pool);

#endif
