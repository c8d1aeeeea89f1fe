/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory in large pieces, with fewer page faults: each costs about as much as 100 inodes, and ten
 * times that in a virtual machine.
 *
 *	data = pages_alloc(256 << 10);		a buffer that will be used as a whole
 *	free(data);
 *
 *	list = realloc(list, size);		an array that grows
 *	pages_prefer_large(list, size);
 */
#ifndef MKROOTFS_BASE_PAGES_H
#define MKROOTFS_BASE_PAGES_H

#include <stddef.h>

/*
 * As malloc; the pages come in one call, where the kernel can (Linux 5.14). size is not 0, the
 * content is undefined. NULL: no memory.
 */
void *pages_alloc(size_t size);

/* As calloc; what is large may come by huge pages. */
void *pages_zeroed(size_t count, size_t item_size);

/*
 * Tells the kernel that memory of malloc will be used from its beginning on: it may then come by
 * huge pages. Of less than 2 MiB nothing is said, since the last huge page is taken as a whole.
 */
void pages_prefer_large(void *data, size_t size);

#endif
