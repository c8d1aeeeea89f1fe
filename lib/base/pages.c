/* SPDX-License-Identifier: Apache-2.0 */
#include "pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_MIN (2u << 20) /* bytes: a huge page of most machines */

/* Whatever else is on the first and the last page keeps its content with this advice. */
static void advise(uint8_t *data, size_t size, int advice)
{
	size_t before = (size_t)((uintptr_t)data % (size_t)sysconf(_SC_PAGESIZE));

	madvise(data - before, before + size, advice);
}

void *pages_alloc(size_t size)
{
	void *data = malloc(size);

#ifdef MADV_POPULATE_WRITE
	if (data)
		advise(data, size, MADV_POPULATE_WRITE);
#endif
	return data;
}

void *pages_zeroed(size_t count, size_t item_size)
{
	void *data = calloc(count, item_size);

	if (data)
		pages_prefer_large(data, count * item_size);
	return data;
}

void pages_prefer_large(void *data, size_t size)
{
	if (size >= LARGE_MIN)
		advise(data, size, MADV_HUGEPAGE);
}
