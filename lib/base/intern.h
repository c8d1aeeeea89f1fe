/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Byte strings stored once each and known by number, from 1 in the order of first appearance.
 *
 *	struct intern table = { 0 };
 *	intern_add(&table, &number, bytes, len, error);
 *	bytes = intern_get(&table, number, &len);
 *	intern_free(&table);
 */
#ifndef MKROOTFS_BASE_INTERN_H
#define MKROOTFS_BASE_INTERN_H

#include "arena.h"

struct intern {
	struct arena arena;
	uint32_t *refs; /* arena references by number; index 0 unused */
	uint32_t count; /* numbers given out */
	size_t room;
	uint32_t *slots; /* hash table of numbers */
	uint32_t mask;
};

int intern_add(struct intern *table, uint32_t *number, const void *bytes, size_t len,
	       struct mkrootfs_error *error);
/* The number of bytes that were added, or 0. */
uint32_t intern_find(const struct intern *table, const void *bytes, size_t len);
/* Lent until intern_free; at a multiple of 4. */
const uint8_t *intern_get(const struct intern *table, uint32_t number, size_t *len);
void intern_free(struct intern *table);

#endif
