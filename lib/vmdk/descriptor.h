/* SPDX-License-Identifier: Apache-2.0 */
/*
 * VMDK descriptors: a text file that stitches flat files into one disk.
 *
 *	struct vmdk_extent extents[] = { { "fsmeta.erofs", 8 }, { "0123.erofs", 4096 } };
 *	vmdk_describe(&text, extents, 2, error);
 *
 * One line a file, at offset 0, read by QEMU and by every other reader that was tried. The access
 * is always RW, since QEMU passes over other lines: read-only is set on the device.
 */
#ifndef MKROOTFS_VMDK_DESCRIPTOR_H
#define MKROOTFS_VMDK_DESCRIPTOR_H

#include "../base/buf.h"

#define VMDK_SECTOR_SIZE 512u
#define VMDK_NAME_MAX 511u	       /* bytes; the most that QEMU reads */
#define VMDK_DESCRIPTOR_MAX (2u << 20) /* bytes; the most that some readers take */

struct vmdk_extent {
	const char
		*name; /* of a file beside the descriptor: no slash, no quote, no control bytes */
	uint64_t sectors; /* of 512 bytes, at least 1 */
};

/* Appends the descriptor's text. Same extents, same bytes: the CID is derived from them. */
int vmdk_describe(struct buf *text, const struct vmdk_extent *extents, size_t count,
		  struct mkrootfs_error *error);

#endif
