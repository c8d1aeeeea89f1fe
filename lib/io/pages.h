/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a large buffer that will be used as a whole, and again and again.
 *
 *	data = pages_alloc(256 << 10);
 *	free(data);
 *
 * It gets its pages in one call, where the kernel can (Linux 5.14). Else each page costs a fault of
 * its own at its first use: in a virtual machine, ten times as much.
 */
#ifndef MKROOTFS_IO_PAGES_H
#define MKROOTFS_IO_PAGES_H

#include <stddef.h>

/* size is not 0; the content is undefined. NULL: no memory. */
void *pages_alloc(size_t size);

#endif
