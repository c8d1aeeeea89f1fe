/* SPDX-License-Identifier: Apache-2.0 */
#include "gap_hasher.h"

#include "../base/checked.h"
#include "format.h"

#include <stdbool.h>
#include <string.h>

#define LARGE_GAP (16u * EROFS_BLOCK_SIZE)

void gap_hasher_begin(struct gap_hasher *hasher, struct xxh3 *hash, struct content_table *table,
		      uint64_t start)
{
	*hasher = (struct gap_hasher){ hash, table, start, start };
	xxh3_reset(hash);
}

static void hash_zeros(struct gap_hasher *hasher, uint64_t end)
{
	static const uint8_t zeros[EROFS_BLOCK_SIZE];

	while (hasher->hashed < end) {
		uint64_t left = end - hasher->hashed;
		size_t len = left < sizeof(zeros) ? (size_t)left : sizeof(zeros);

		xxh3_update(hasher->hash, zeros, len);
		hasher->hashed += len;
	}
}

static int add(struct gap_hasher *hasher, uint64_t start, uint64_t hash,
	       struct mkrootfs_error *error)
{
	return content_table_add(hasher->table, (uint32_t)(start >> EROFS_BLOCK_BITS), hash, error);
}

/* The extent in work goes up to the end of the block in which hashing stopped. */
static int close_extent(struct gap_hasher *hasher, struct mkrootfs_error *error)
{
	int status;

	hash_zeros(hasher, round_up_u64(hasher->hashed, EROFS_BLOCK_SIZE));
	if (hasher->hashed == hasher->start)
		return 0;
	status = add(hasher, hasher->start, xxh3_digest(hasher->hash), error);
	xxh3_reset(hasher->hash);
	hasher->start = hasher->hashed;
	return status;
}

/*
 * A gap is what has no bytes but zeros, counted in whole blocks: how a stream cut the data around
 * it, or whether it had the zeros in it, does not count.
 */
static int pass_gap(struct gap_hasher *hasher, uint64_t end, struct mkrootfs_error *error)
{
	uint64_t first = round_up_u64(hasher->hashed, EROFS_BLOCK_SIZE);
	int status = 0;

	if (end >= first && end - end % EROFS_BLOCK_SIZE >= first + LARGE_GAP) {
		status = close_extent(hasher, error);
		if (status == 0)
			status = add(hasher, hasher->hashed, CONTENT_ZEROS, error);
		hasher->hashed = hasher->start = end - end % EROFS_BLOCK_SIZE;
	}
	hash_zeros(hasher, end);
	return status;
}

static bool is_zero(const uint8_t *bytes, size_t len)
{
	return bytes[0] == 0 && !memcmp(bytes, bytes + 1, len - 1);
}

int gap_hasher_piece(struct gap_hasher *hasher, uint64_t at, const uint8_t *bytes, size_t len,
		     struct mkrootfs_error *error)
{
	int status = 0;

	while (status == 0 && len > 0) {
		size_t room = (size_t)(EROFS_BLOCK_SIZE - at % EROFS_BLOCK_SIZE);
		size_t part = len < room ? len : room;

		if (!is_zero(bytes, part)) {
			status = pass_gap(hasher, at, error);
			xxh3_update(hasher->hash, bytes, part);
			hasher->hashed = at + part;
		}
		at += part;
		bytes += part;
		len -= part;
	}
	return status;
}

int gap_hasher_end(struct gap_hasher *hasher, uint64_t end, struct mkrootfs_error *error)
{
	int status = pass_gap(hasher, end, error);

	return status < 0 ? status : close_extent(hasher, error);
}
