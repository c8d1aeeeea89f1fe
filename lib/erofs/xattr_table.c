/* SPDX-License-Identifier: Apache-2.0 */
#include "xattr_table.h"

#include "../base/bytes.h"
#include "../base/checked.h"
#include "xattr_name.h"
#include "xxh.h"

#include <stdlib.h>
#include <string.h>

/* Byte offsets in struct erofs_xattr_ibody_header and struct erofs_xattr_entry. */
enum {
	H_NAME_FILTER = 0,
	H_SHARED_COUNT = 4,
	E_NAME_LEN = 0,
	E_NAME_INDEX = 1,
	E_VALUE_SIZE = 2,
};

#define INLINE UINT32_MAX
#define MAX_SHARED 255u /* h_shared_count has 8 bits */
#define SHARED_ID_SIZE 4u
#define MAX_IBODY (EROFS_XATTR_IBODY_HEADER_SIZE + EROFS_XATTR_ENTRY_SIZE * 65534u)

static uint32_t entry_size(const struct xattr_pool *pool, uint32_t item)
{
	struct erofs_xattr_name name = { 0 };
	struct xattr_entry entry;

	xattr_item_get(pool, item, &entry);
	erofs_xattr_split(&name, entry.name, entry.name_len);
	return (uint32_t)round_up_u64(EROFS_XATTR_ENTRY_SIZE + name.rest_len + entry.value_len,
				      EROFS_XATTR_ALIGN);
}

/* How many inodes have each item. */
static void count_uses(uint32_t *uses, const struct tree *tree)
{
	for (uint32_t i = 1; i < tree->inode_count; i++) {
		const struct tree_inode *inode = &tree->inodes[i];
		uint32_t set = tree_attributes_of(tree, inode)->xattrs, count = 0;

		if (set && inode->nlink)
			count = xattr_set_count(&tree->xattrs, set);
		for (uint32_t j = 0; j < count; j++)
			uses[xattr_set_item(&tree->xattrs, set, j)]++;
	}
}

static uint32_t set_of(const struct tree *tree, uint32_t node)
{
	return tree_attributes_of(tree, tree_inode_of(tree, node))->xattrs;
}

/* Shared: one copy and an id for each user. Inline: a copy for each user. */
static bool sharing_pays(uint32_t uses, uint32_t size)
{
	return (uint64_t)size + (uint64_t)uses * SHARED_ID_SIZE < (uint64_t)uses * size;
}

static bool may_share(const struct erofs_xattr_table *table, const uint32_t *uses, uint32_t item)
{
	return sharing_pays(uses[item], entry_size(table->pool, item));
}

static bool may_share_any(const struct erofs_xattr_table *table, const uint32_t *uses)
{
	uint32_t item = 1;

	while (item <= table->pool->items.count && !may_share(table, uses, item))
		item++;
	return item <= table->pool->items.count;
}

static void share(struct erofs_xattr_table *table, const uint32_t *uses, uint32_t set)
{
	for (uint32_t i = 0; i < xattr_set_count(table->pool, set); i++) {
		uint32_t item = xattr_set_item(table->pool, set, i);
		uint32_t size = entry_size(table->pool, item);

		if (table->offsets[item] != INLINE || !may_share(table, uses, item) ||
		    table->shared_size > UINT32_MAX - size)
			continue;
		table->offsets[item] = table->shared_size;
		table->shared_size += size;
	}
}

/* In the order of a walk: equal trees give equal bytes, however they came about. */
static int choose_shared(struct erofs_xattr_table *table, const struct tree *tree,
			 struct mkrootfs_error *error)
{
	uint32_t *uses;

	if (table->pool->items.count == 0)
		return 0;
	uses = calloc(table->pool->items.count + 1u, sizeof(*uses));
	if (!uses)
		return error_no_memory(error);
	count_uses(uses, tree);
	for (uint32_t item = 1; item <= table->pool->items.count; item++)
		table->offsets[item] = INLINE;
	for (uint32_t node = may_share_any(table, uses) ? TREE_ROOT : 0; node;
	     node = tree_walk(tree, node))
		share(table, uses, set_of(tree, node));
	free(uses);
	return 0;
}

/* True for a shared item, as long as the set's body can name one more. */
static bool takes_shared(const struct erofs_xattr_table *table, uint32_t item, uint32_t *shared)
{
	if (table->offsets[item] == INLINE || *shared == MAX_SHARED)
		return false;
	(*shared)++;
	return true;
}

static uint64_t ibody_size(const struct erofs_xattr_table *table, uint32_t set)
{
	uint64_t size = EROFS_XATTR_IBODY_HEADER_SIZE;
	uint32_t shared = 0;

	for (uint32_t i = 0; i < xattr_set_count(table->pool, set); i++) {
		uint32_t item = xattr_set_item(table->pool, set, i);

		size += takes_shared(table, item, &shared) ? SHARED_ID_SIZE
							   : entry_size(table->pool, item);
	}
	return size;
}

static int too_large(const struct tree *tree, uint32_t set, struct mkrootfs_error *error)
{
	uint32_t node = TREE_ROOT;
	char path[512];

	while (node && set_of(tree, node) != set)
		node = tree_walk(tree, node);
	if (node == 0)
		return 0;
	tree_path(tree, node, path, sizeof(path));
	return error_set(
		error, MKROOTFS_ERROR_LIMIT,
		"entry '%s': its extended attributes take more than the %u bytes that EROFS "
		"can hold",
		path, MAX_IBODY);
}

static int measure_sets(struct erofs_xattr_table *table, const struct tree *tree,
			struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t set = 1; status == 0 && set <= table->pool->sets.count; set++) {
		uint64_t size = ibody_size(table, set);

		if (size > MAX_IBODY)
			status = too_large(tree, set, error);
		else
			table->ibody_sizes[set] = (uint32_t)size;
	}
	return status;
}

int erofs_xattr_table_build(struct erofs_xattr_table *table, const struct tree *tree,
			    struct mkrootfs_error *error)
{
	int status;

	*table = (struct erofs_xattr_table){ .pool = &tree->xattrs };
	table->offsets = calloc(table->pool->items.count + 1u, sizeof(*table->offsets));
	table->ibody_sizes = calloc(table->pool->sets.count + 1u, sizeof(*table->ibody_sizes));
	if (!table->offsets || !table->ibody_sizes)
		status = error_no_memory(error);
	else
		status = choose_shared(table, tree, error);
	if (status == 0)
		status = measure_sets(table, tree, error);
	if (status < 0)
		erofs_xattr_table_free(table);
	return status;
}

void erofs_xattr_table_free(struct erofs_xattr_table *table)
{
	free(table->offsets);
	free(table->ibody_sizes);
	*table = (struct erofs_xattr_table){ 0 };
}

uint32_t erofs_xattr_ibody(const struct erofs_xattr_table *table, uint32_t set)
{
	return table->ibody_sizes[set];
}

uint16_t erofs_xattr_icount(const struct erofs_xattr_table *table, uint32_t set)
{
	uint32_t size = table->ibody_sizes[set];

	if (size == 0)
		return 0;
	return (uint16_t)((size - EROFS_XATTR_IBODY_HEADER_SIZE) / EROFS_XATTR_ENTRY_SIZE + 1);
}

void erofs_xattr_place(struct erofs_xattr_table *table, uint32_t offset)
{
	table->first_id = offset / SHARED_ID_SIZE;
}

static void encode_entry(const struct xattr_pool *pool, uint32_t item, uint8_t *out)
{
	struct erofs_xattr_name name = { 0 };
	struct xattr_entry entry;

	xattr_item_get(pool, item, &entry);
	erofs_xattr_split(&name, entry.name, entry.name_len);
	out[E_NAME_LEN] = (uint8_t)name.rest_len;
	out[E_NAME_INDEX] = name.index;
	put_le16(out + E_VALUE_SIZE, (uint16_t)entry.value_len);
	out += EROFS_XATTR_ENTRY_SIZE;
	memcpy(out, name.rest, name.rest_len);
	memcpy(out + name.rest_len, entry.value, entry.value_len);
}

/* Each name clears a bit; a kernel that finds a name's bit set knows that it is not there. */
uint32_t erofs_xattr_filter(const struct xattr_pool *pool, uint32_t set)
{
	uint32_t filter = EROFS_XATTR_FILTER_DEFAULT;

	for (uint32_t i = 0; i < xattr_set_count(pool, set); i++) {
		struct erofs_xattr_name name = { 0 };
		struct xattr_entry entry;

		xattr_set_get(pool, set, i, &entry);
		erofs_xattr_split(&name, entry.name, entry.name_len);
		filter &= ~(1u << (xxh32(name.rest, name.rest_len,
					 EROFS_XATTR_FILTER_SEED + name.index) %
				   EROFS_XATTR_FILTER_BITS));
	}
	return filter;
}

void erofs_xattr_encode(const struct erofs_xattr_table *table, uint32_t set, uint8_t *out)
{
	uint32_t count = xattr_set_count(table->pool, set), shared = 0, counted = 0;
	uint8_t *ids = out + EROFS_XATTR_IBODY_HEADER_SIZE, *entries;

	if (table->ibody_sizes[set] == 0)
		return;
	memset(out, 0, table->ibody_sizes[set]);
	for (uint32_t i = 0; i < count; i++)
		if (takes_shared(table, xattr_set_item(table->pool, set, i), &shared))
			put_le32(ids + (shared - 1) * SHARED_ID_SIZE,
				 table->first_id +
					 table->offsets[xattr_set_item(table->pool, set, i)] /
						 SHARED_ID_SIZE);
	put_le32(out + H_NAME_FILTER, erofs_xattr_filter(table->pool, set));
	out[H_SHARED_COUNT] = (uint8_t)shared;
	entries = ids + shared * SHARED_ID_SIZE;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t item = xattr_set_item(table->pool, set, i);

		if (takes_shared(table, item, &counted))
			continue;
		encode_entry(table->pool, item, entries);
		entries += entry_size(table->pool, item);
	}
}

void erofs_xattr_encode_shared(const struct erofs_xattr_table *table, uint8_t *out)
{
	memset(out, 0, table->shared_size);
	for (uint32_t item = 1; item <= table->pool->items.count; item++)
		if (table->offsets[item] != INLINE)
			encode_entry(table->pool, item, out + table->offsets[item]);
}
