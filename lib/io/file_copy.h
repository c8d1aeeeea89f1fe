/* SPDX-License-Identifier: Apache-2.0 */
/* A second file with the same content, as cheaply as the filesystem can. */
#ifndef MKROOTFS_IO_FILE_COPY_H
#define MKROOTFS_IO_FILE_COPY_H

#include "../base/error.h"

/*
 * Makes to, which must not exist, another name of from; where the filesystem has no hard links, or
 * from has too many, or lies on another filesystem: a reflink, or a copy that keeps holes.
 */
int file_link_or_copy(const char *from, const char *to, struct mkrootfs_error *error);
/* The second half of it: never a hard link. */
int file_copy(const char *from, const char *to, struct mkrootfs_error *error);

/*
 * Between open files, the second of them empty: all of it shared with the first, which is one step
 * and so of one moment; -1 with errno where the filesystem cannot.
 */
int file_share(int from, int to);
/* A copy that keeps holes, of a file that nobody writes to meanwhile. -1 with errno. */
int file_copy_bytes(int from, int to);

#endif
