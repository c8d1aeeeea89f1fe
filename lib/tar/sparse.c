/* SPDX-License-Identifier: Apache-2.0 */
#include "sparse.h"

#include "../base/array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int malformed(const char *what, struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "sparse map: %s", what);
}

void tar_sparse_clear(struct tar_sparse_map *map)
{
	map->count = 0;
	map->real_size = 0;
	map->is_pending = false;
}

void tar_sparse_free(struct tar_sparse_map *map)
{
	free(map->ranges);
	*map = (struct tar_sparse_map){ 0 };
}

static int reserve(struct tar_sparse_map *map, struct mkrootfs_error *error)
{
	if (map->count == TAR_SPARSE_MAX_RANGES)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "sparse map: more than %u ranges",
				 TAR_SPARSE_MAX_RANGES);
	return array_reserve(&map->ranges, &map->room, map->count, sizeof(*map->ranges), error);
}

static uint64_t end_of(const struct tar_sparse_map *map)
{
	const struct tar_range *last;

	if (map->count == 0)
		return 0;
	last = &map->ranges[map->count - 1];
	return last->offset + last->len;
}

int tar_sparse_add(struct tar_sparse_map *map, int64_t offset, int64_t len,
		   struct mkrootfs_error *error)
{
	int status;

	if (offset < 0 || len < 0)
		return malformed("a negative number", error);
	if (len == 0)
		return 0;
	if ((uint64_t)offset < end_of(map))
		return malformed("ranges overlap or are out of order", error);
	status = reserve(map, error);
	if (status < 0)
		return status;
	map->ranges[map->count++] = (struct tar_range){ (uint64_t)offset, (uint64_t)len };
	return 0;
}

int tar_sparse_check(const struct tar_sparse_map *map, uint64_t stored_size,
		     struct mkrootfs_error *error)
{
	uint64_t sum = 0; /* at most end_of(), as ranges do not overlap */

	if (map->is_pending)
		return malformed("an offset without a size", error);
	if (end_of(map) > map->real_size)
		return malformed("a range ends behind the end of the file", error);
	for (size_t i = 0; i < map->count; i++)
		sum += map->ranges[i].len;
	if (sum != stored_size)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "sparse map: %" PRIu64 " bytes in ranges, but %" PRIu64
				 " in the archive",
				 sum, stored_size);
	return 0;
}

/* ---- Forms 0.0 and 0.1: records ---- */

int tar_sparse_add_offset(struct tar_sparse_map *map, const struct tar_text *value,
			  struct mkrootfs_error *error)
{
	int64_t offset;

	if (map->is_pending || !tar_decimal(&offset, value) || offset < 0)
		return malformed("bad offset", error);
	map->pending = (uint64_t)offset;
	map->is_pending = true;
	return 0;
}

int tar_sparse_add_bytes(struct tar_sparse_map *map, const struct tar_text *value,
			 struct mkrootfs_error *error)
{
	int64_t len;

	if (!map->is_pending || !tar_decimal(&len, value))
		return malformed("bad size of a range", error);
	map->is_pending = false;
	return tar_sparse_add(map, (int64_t)map->pending, len, error);
}

/* Takes the number in front of the next comma. */
static bool take_number(int64_t *out, struct tar_text *rest)
{
	char *comma = rest->len > 0 ? memchr(rest->data, ',', rest->len) : NULL;
	struct tar_text text = { rest->data, comma ? (size_t)(comma - rest->data) : rest->len };
	size_t taken = comma ? text.len + 1 : text.len;

	rest->data += taken;
	rest->len -= taken;
	return tar_decimal(out, &text);
}

int tar_sparse_parse_list(struct tar_sparse_map *map, const struct tar_text *list,
			  struct mkrootfs_error *error)
{
	struct tar_text rest = *list;
	int64_t offset, len;
	int status = 0;

	while (status == 0 && rest.len > 0) {
		if (!take_number(&offset, &rest) || !take_number(&len, &rest))
			return malformed("bad list of ranges", error);
		status = tar_sparse_add(map, offset, len, error);
	}
	return status;
}
