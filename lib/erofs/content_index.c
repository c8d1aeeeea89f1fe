/* SPDX-License-Identifier: Apache-2.0 */
#include "content_index.h"

#include "format.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COMPARE_SIZE (16u * EROFS_BLOCK_SIZE)

static void place(struct content_index *index, struct content_slot slot)
{
	uint32_t at = slot.tag;

	while (index->slots[at & index->mask].block != 0)
		at++;
	index->slots[at & index->mask] = slot;
}

static int grow(struct content_index *index, struct mkrootfs_error *error)
{
	struct content_index bigger = { .mask = index->slots ? 2 * index->mask + 1 : 1023 };

	bigger.slots = calloc((size_t)bigger.mask + 1, sizeof(*bigger.slots));
	if (!bigger.slots)
		return error_no_memory(error);
	for (uint32_t i = 0; index->slots && i <= index->mask; i++)
		if (index->slots[i].block != 0)
			place(&bigger, index->slots[i]);
	bigger.used = index->used;
	free(index->slots);
	*index = bigger;
	return 0;
}

static int same_bytes(bool *same, struct image_file *file, uint64_t a, uint64_t b, uint64_t len,
		      struct mkrootfs_error *error)
{
	static const size_t half = COMPARE_SIZE;
	uint8_t *bytes = malloc(2 * half);
	int status = bytes ? 0 : error_no_memory(error);

	*same = true;
	for (uint64_t at = 0; status == 0 && *same && at < len; at += half) {
		size_t part = len - at < half ? (size_t)(len - at) : half;

		status = image_file_read(file, a + at, bytes, part, error);
		if (status == 0)
			status = image_file_read(file, b + at, bytes + half, part, error);
		*same = status == 0 && !memcmp(bytes, bytes + half, part);
	}
	free(bytes);
	return status;
}

int content_index_find(struct content_index *index, uint32_t *found, struct image_file *file,
		       uint64_t hash, uint32_t block, uint64_t blocks, struct mkrootfs_error *error)
{
	const struct content_slot added = { (uint32_t)(hash >> 32), block };
	uint32_t at = added.tag;
	bool same = false;
	int status = 0;

	*found = block;
	if (!index->slots || index->used >= index->mask / 4 * 3)
		status = grow(index, error);
	for (; status == 0 && !same && index->slots[at & index->mask].block != 0; at++) {
		const struct content_slot *slot = &index->slots[at & index->mask];

		if (slot->tag != added.tag)
			continue;
		status = same_bytes(&same, file, (uint64_t)slot->block << EROFS_BLOCK_BITS,
				    (uint64_t)block << EROFS_BLOCK_BITS, blocks << EROFS_BLOCK_BITS,
				    error);
		if (same)
			*found = slot->block;
	}
	if (status == 0 && !same) {
		place(index, added);
		index->used++;
	}
	return status;
}

void content_index_free(struct content_index *index)
{
	free(index->slots);
	*index = (struct content_index){ 0 };
}
