/* SPDX-License-Identifier: Apache-2.0 */
#include "intern.h"

#include "array.h"
#include "hash.h"

#include <stdlib.h>

/* A record in the arena is its length (4 bytes, host order), then the bytes. */

const uint8_t *intern_get(const struct intern *table, uint32_t number, size_t *len)
{
	const uint8_t *record = arena_at(&table->arena, table->refs[number]);
	uint32_t stored;

	memcpy(&stored, record, sizeof(stored));
	*len = stored;
	return record + sizeof(stored);
}

static uint32_t slot_of(const struct intern *table, const void *bytes, size_t len)
{
	return (uint32_t)(hash_bytes(hash_seed(table), bytes, len) >> 32);
}

static int grow_slots(struct intern *table, struct mkrootfs_error *error)
{
	/* Ends at 2^32: the arena holds no more than half as many records. */
	size_t count = table->slots ? 2 * ((size_t)table->mask + 1) : 64;
	uint32_t *slots = calloc(count, sizeof(*slots));

	if (!slots)
		return error_no_memory(error);
	for (uint32_t number = 1; number <= table->count; number++) {
		size_t len;
		const uint8_t *bytes = intern_get(table, number, &len);
		uint32_t at = slot_of(table, bytes, len);

		while (slots[at & (count - 1)] != 0)
			at++;
		slots[at & (count - 1)] = number;
	}
	free(table->slots);
	table->slots = slots;
	table->mask = (uint32_t)(count - 1);
	return 0;
}

static int append(struct intern *table, uint32_t *number, const void *bytes, size_t len,
		  struct mkrootfs_error *error)
{
	uint32_t stored = (uint32_t)len, reference;
	uint8_t *record;
	/* Numbers start at 1. */
	int status = array_reserve(&table->refs, &table->room, table->count + 1,
				   sizeof(*table->refs), error);

	if (status == 0)
		status = arena_alloc(&table->arena, &reference, &record, sizeof(stored) + len,
				     error);
	if (status < 0)
		return status;
	memcpy(record, &stored, sizeof(stored));
	if (len)
		memcpy(record + sizeof(stored), bytes, len);
	*number = ++table->count;
	table->refs[*number] = reference;
	return 0;
}

/* The number of equal bytes, or 0; *at is the slot where they are or would go. */
static uint32_t find(const struct intern *table, uint32_t *at, const void *bytes, size_t len)
{
	for (*at = slot_of(table, bytes, len);; (*at)++) {
		uint32_t number = table->slots[*at & table->mask];
		const uint8_t *found;
		size_t found_len;

		if (number == 0)
			return 0;
		found = intern_get(table, number, &found_len);
		if (found_len == len && !memcmp(found, bytes, len))
			return number;
	}
}

uint32_t intern_find(const struct intern *table, const void *bytes, size_t len)
{
	uint32_t at;

	return table->slots ? find(table, &at, bytes, len) : 0;
}

int intern_add(struct intern *table, uint32_t *number, const void *bytes, size_t len,
	       struct mkrootfs_error *error)
{
	uint32_t at;
	int status = 0;

	*number = 0;
	if (!table->slots || table->count >= table->mask / 2)
		status = grow_slots(table, error);
	if (status < 0)
		return status;
	*number = find(table, &at, bytes, len);
	if (*number)
		return 0;
	status = append(table, number, bytes, len, error);
	if (status == 0)
		table->slots[at & table->mask] = *number;
	return status;
}

void intern_free(struct intern *table)
{
	arena_free(&table->arena);
	free(table->refs);
	free(table->slots);
	*table = (struct intern){ 0 };
}
