/* SPDX-License-Identifier: Apache-2.0 */
#include "pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *pages_alloc(size_t size)
{
	uint8_t *data = malloc(size);

#ifdef MADV_POPULATE_WRITE
	if (data) {
		size_t page = (size_t)sysconf(_SC_PAGESIZE);
		size_t before = (size_t)((uintptr_t)data % page);

		/* Whatever else is on the first and the last page keeps its content. */
		madvise(data - before, before + size, MADV_POPULATE_WRITE);
	}
#endif
	return data;
}
