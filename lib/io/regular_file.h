/* SPDX-License-Identifier: Apache-2.0 */
/* Opening what must be a regular file: a fifo or device in its place neither blocks nor is read. */
#ifndef MKROOTFS_IO_REGULAR_FILE_H
#define MKROOTFS_IO_REGULAR_FILE_H

#include "../base/error.h"

/* Opens path for reading; *fd is the caller's to close. */
int regular_file_open(int *fd, const char *path, struct mkrootfs_error *error);

#endif
