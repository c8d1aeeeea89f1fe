/* SPDX-License-Identifier: Apache-2.0 */
/* Whole ranges of a file: through short transfers and interrupts. All return -1 with errno. */
#ifndef MKROOTFS_IO_FILE_RANGE_H
#define MKROOTFS_IO_FILE_RANGE_H

#include <stddef.h>
#include <stdint.h>

int file_range_write(int fd, uint64_t offset, const void *data, size_t len);
/* EIO, with *got less than len, where the file ends too early. */
int file_range_read(int fd, uint64_t offset, void *data, size_t len, size_t *got);
/* Makes a range of a block device read as zeros, by discarding where the device can. */
int file_range_zero(int fd, uint64_t offset, uint64_t len);

#endif
