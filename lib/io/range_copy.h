/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes from one file to another, as cheaply as the filesystem can: shared blocks (reflink), a copy
 * inside the kernel, or reading and writing. What is a hole stays one.
 *
 *	struct range_copy copy = { 0 };
 *
 *	range_copy(&copy, to, to_offset, from, from_offset, len);	-1 with errno
 *	range_copy_free(&copy);
 *
 * What a filesystem cannot do is not tried again.
 */
#ifndef MKROOTFS_IO_RANGE_COPY_H
#define MKROOTFS_IO_RANGE_COPY_H

#include <stdbool.h>
#include <stdint.h>

struct range_copy {
	bool no_reflink, no_kernel_copy;
	bool read_failed; /* the last error is one of reading */
	uint8_t *buffer;
};

/*
 * to must read as zeros where from has holes: they are passed over. EIO where from ends too early.
 */
int range_copy(struct range_copy *copy, int to, uint64_t to_offset, int from, uint64_t from_offset,
	       uint64_t len);
void range_copy_free(struct range_copy *copy);

#endif
