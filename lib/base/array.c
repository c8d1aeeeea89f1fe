/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"

#include "pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16u /* items */

/* The pointer's type is the caller's: it is copied as bytes. */
int array_grow(void *array, size_t *room, size_t item_size, struct mkrootfs_error *error)
{
	size_t more = *room ? 2 * *room : FIRST_ROOM;
	void *items;

	if (*room > SIZE_MAX / 2 / item_size)
		return error_no_memory(error);
	memcpy(&items, array, sizeof(items));
	items = realloc(items, more * item_size);
	if (!items)
		return error_no_memory(error);
	pages_prefer_large(items, more * item_size);
	memcpy(array, &items, sizeof(items));
	*room = more;
	return 0;
}
