/* SPDX-License-Identifier: Apache-2.0 */
#include "attribute_pool.h"

#include "../base/array.h"
#include "../base/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST 64u	  /* attributes that there is room for, and places to find them */
#define MOST_RECENT 4096u /* such places: 16 KiB */

static bool are_equal(const struct tree_attributes *a, const struct tree_attributes *b)
{
	return a->mtime == b->mtime && a->mtime_nsec == b->mtime_nsec && a->uid == b->uid &&
	       a->gid == b->gid && a->xattrs == b->xattrs;
}

static uint32_t *recent_of(const struct attribute_pool *pool, const struct tree_attributes *a)
{
	uint64_t hash = hash_mix((uint64_t)a->mtime, a->mtime_nsec);

	hash = hash_mix(hash, (uint64_t)a->uid << 32 | a->gid);
	return &pool->recent[hash_mix(hash, a->xattrs) >> 32 & pool->mask];
}

int attribute_pool_init(struct attribute_pool *pool, struct mkrootfs_error *error)
{
	*pool = (struct attribute_pool){ .room = FEWEST, .mask = FEWEST - 1 };
	pool->list = malloc(FEWEST * sizeof(*pool->list));
	pool->recent = malloc(FEWEST * sizeof(*pool->recent));
	if (!pool->list || !pool->recent) {
		attribute_pool_free(pool);
		return error_no_memory(error);
	}
	attribute_pool_clear(pool);
	return 0;
}

void attribute_pool_clear(struct attribute_pool *pool)
{
	pool->list[0] = (struct tree_attributes){ 0 };
	pool->count = 1;
	pool->last = 0;
	memset(pool->recent, 0, (pool->mask + 1) * sizeof(*pool->recent));
}

/* As many places as there are attributes, up to a limit. */
static int grow_recent(struct attribute_pool *pool, struct mkrootfs_error *error)
{
	uint32_t count = 2 * (pool->mask + 1), *bigger = calloc(count, sizeof(*bigger));

	if (!bigger)
		return error_no_memory(error);
	free(pool->recent);
	pool->recent = bigger;
	pool->mask = count - 1;
	for (uint32_t number = 0; number < pool->count; number++)
		*recent_of(pool, &pool->list[number]) = number;
	return 0;
}

static int make_room(struct attribute_pool *pool, struct mkrootfs_error *error)
{
	if (pool->count == UINT32_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more than %u owners and times",
				 pool->count);
	if (pool->count < pool->room)
		return 0;
	if (array_grow(&pool->list, &pool->room, sizeof(*pool->list), error) < 0)
		return error->status;
	return pool->mask < MOST_RECENT - 1 ? grow_recent(pool, error) : 0;
}

/* Behind the others; they may be one of the list, which moves. */
static int append(struct attribute_pool *pool, const struct tree_attributes *attributes,
		  struct mkrootfs_error *error)
{
	const struct tree_attributes added = *attributes;
	int status = make_room(pool, error);

	if (status < 0)
		return status;
	*recent_of(pool, &added) = pool->count;
	pool->last = pool->count;
	pool->list[pool->count++] = added;
	return 0;
}

static int find_or_append(struct attribute_pool *pool, const struct tree_attributes *attributes,
			  struct mkrootfs_error *error)
{
	uint32_t found = *recent_of(pool, attributes);

	if (!are_equal(&pool->list[found], attributes))
		return append(pool, attributes, error);
	pool->last = found;
	return 0;
}

int attribute_pool_add(struct attribute_pool *pool, uint32_t *number,
		       const struct tree_attributes *attributes, struct mkrootfs_error *error)
{
	int status = 0;

	if (!are_equal(&pool->list[pool->last], attributes))
		status = find_or_append(pool, attributes, error);
	*number = pool->last;
	return status;
}

void attribute_pool_free(struct attribute_pool *pool)
{
	free(pool->list);
	free(pool->recent);
	*pool = (struct attribute_pool){ 0 };
}
