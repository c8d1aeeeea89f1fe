/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that grow by doubling.
 *
 *	struct item *items = NULL;
 *	size_t count = 0, room = 0;
 *
 *	if (array_reserve(&items, &room, count, sizeof(*items), error) < 0)
 *		return error->status;
 *	items[count++] = item;
 *	free(items);
 */
#ifndef MKROOTFS_BASE_ARRAY_H
#define MKROOTFS_BASE_ARRAY_H

#include "error.h"

#include <stddef.h>

int array_grow(void *array, size_t *room, size_t item_size, struct mkrootfs_error *error);

/*
 * Makes room for one more item than count. array is the address of the pointer to the items, which
 * may move; the new ones' content is undefined.
 */
static inline int array_reserve(void *array, size_t *room, size_t count, size_t item_size,
				struct mkrootfs_error *error)
{
	return count < *room ? 0 : array_grow(array, room, item_size, error);
}

#endif
