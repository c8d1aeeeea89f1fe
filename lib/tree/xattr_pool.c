/* SPDX-License-Identifier: Apache-2.0 */
#include "xattr_pool.h"

#include "../base/buf.h"

#include <stdlib.h>
#include <string.h>

static int check_entry(const struct xattr_entry *entry, struct mkrootfs_error *error)
{
	if (entry->name_len == 0 || entry->name_len > XATTR_NAME_MAX_BYTES)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "xattr '%.*s': a name of %zu bytes, 1 to %d are possible", 40,
				 entry->name, entry->name_len, XATTR_NAME_MAX_BYTES);
	if (entry->value_len > XATTR_VALUE_MAX_BYTES)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "xattr '%.*s': a value of %zu bytes, the limit is %d",
				 (int)entry->name_len, entry->name, entry->value_len,
				 XATTR_VALUE_MAX_BYTES);
	return 0;
}

static int add_item(struct xattr_pool *pool, uint32_t *item, const struct xattr_entry *entry,
		    struct mkrootfs_error *error)
{
	struct buf record = BUF_INIT(1 + XATTR_NAME_MAX_BYTES + XATTR_VALUE_MAX_BYTES);
	uint8_t name_len = (uint8_t)entry->name_len;
	int status = check_entry(entry, error);

	if (status == 0)
		status = buf_append(&record, &name_len, 1, error);
	if (status == 0)
		status = buf_append(&record, entry->name, entry->name_len, error);
	if (status == 0)
		status = buf_append(&record, entry->value, entry->value_len, error);
	if (status == 0)
		status = intern_add(&pool->items, item, record.data, record.len, error);
	buf_free(&record);
	return status;
}

static int compare_names(const struct xattr_entry *a, const struct xattr_entry *b)
{
	size_t shorter = a->name_len < b->name_len ? a->name_len : b->name_len;
	int order = memcmp(a->name, b->name, shorter);

	return order ? order : (a->name_len > b->name_len) - (a->name_len < b->name_len);
}

static int compare_ranked(const void *a, const void *b)
{
	const struct xattr_entry *left = *(const struct xattr_entry *const *)a;
	const struct xattr_entry *right = *(const struct xattr_entry *const *)b;
	int order = compare_names(left, right);

	return order ? order : (left > right) - (left < right);
}

/* Numbers the sorted entries' items; of equal names the last in the list counts. */
static int number_items(struct xattr_pool *pool, uint32_t *items, uint32_t *used,
			const struct xattr_entry **ranked, size_t count,
			struct mkrootfs_error *error)
{
	int status = 0;

	*used = 0;
	for (size_t i = 0; status == 0 && i < count; i++) {
		if (i + 1 < count && compare_names(ranked[i], ranked[i + 1]) == 0)
			continue;
		status = add_item(pool, &items[(*used)++], ranked[i], error);
	}
	return status;
}

int xattr_pool_add(struct xattr_pool *pool, uint32_t *set, const struct xattr_entry *list,
		   size_t count, struct mkrootfs_error *error)
{
	const struct xattr_entry **ranked = calloc(count + 1, sizeof(*ranked));
	uint32_t *items = calloc(count + 1, sizeof(*items)), used;
	int status = 0;

	*set = 0;
	if (!ranked || !items)
		status = error_no_memory(error);
	if (status == 0) {
		for (size_t i = 0; i < count; i++)
			ranked[i] = &list[i];
		qsort(ranked, count, sizeof(*ranked), compare_ranked);
		status = number_items(pool, items, &used, ranked, count, error);
	}
	if (status == 0 && used > 0)
		status = intern_add(&pool->sets, set, items, used * sizeof(*items), error);
	free(items);
	free(ranked);
	return status;
}

uint32_t xattr_set_count(const struct xattr_pool *pool, uint32_t set)
{
	size_t len = 0;

	if (set)
		intern_get(&pool->sets, set, &len);
	return (uint32_t)(len / sizeof(uint32_t));
}

uint32_t xattr_set_item(const struct xattr_pool *pool, uint32_t set, uint32_t index)
{
	uint32_t item;
	size_t len;

	memcpy(&item, intern_get(&pool->sets, set, &len) + index * sizeof(item), sizeof(item));
	return item;
}

void xattr_item_get(const struct xattr_pool *pool, uint32_t item, struct xattr_entry *entry)
{
	size_t len;
	const uint8_t *record = intern_get(&pool->items, item, &len);

	entry->name_len = record[0];
	entry->name = (const char *)record + 1;
	entry->value = record + 1 + entry->name_len;
	entry->value_len = len - 1 - entry->name_len;
}

void xattr_set_get(const struct xattr_pool *pool, uint32_t set, uint32_t index,
		   struct xattr_entry *entry)
{
	xattr_item_get(pool, xattr_set_item(pool, set, index), entry);
}

/* The entries of a set, borrowed from the pool, with room for one more. */
static struct xattr_entry *list_of(const struct xattr_pool *pool, uint32_t set, uint32_t *count)
{
	struct xattr_entry *list;

	*count = xattr_set_count(pool, set);
	list = calloc(*count + 1u, sizeof(*list));
	for (uint32_t i = 0; list && i < *count; i++)
		xattr_set_get(pool, set, i, &list[i]);
	return list;
}

int xattr_pool_with(struct xattr_pool *pool, uint32_t *set, uint32_t base,
		    const struct xattr_entry *entry, struct mkrootfs_error *error)
{
	uint32_t count;
	struct xattr_entry *list = list_of(pool, base, &count);
	int status;

	if (!list)
		return error_no_memory(error);
	list[count] = *entry;
	status = xattr_pool_add(pool, set, list, count + 1u, error);
	free(list);
	return status;
}

int xattr_pool_copy(struct xattr_pool *to, uint32_t *set, const struct xattr_pool *from,
		    uint32_t from_set, struct mkrootfs_error *error)
{
	uint32_t count;
	struct xattr_entry *list = list_of(from, from_set, &count);
	int status;

	if (!list)
		return error_no_memory(error);
	status = xattr_pool_add(to, set, list, count, error);
	free(list);
	return status;
}

bool xattr_entry_is(const struct xattr_entry *entry, const char *name)
{
	return entry->name_len == strlen(name) && !memcmp(entry->name, name, entry->name_len);
}

void xattr_pool_free(struct xattr_pool *pool)
{
	intern_free(&pool->items);
	intern_free(&pool->sets);
}
