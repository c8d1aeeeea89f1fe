/* SPDX-License-Identifier: Apache-2.0 */
/* Getting bytes onto the disk, by what each system has for it. */
#ifndef MKROOTFS_IO_FILE_SYNC_H
#define MKROOTFS_IO_FILE_SYNC_H

#include <stdint.h>

/* Waits until a file's data, and what is needed to find it again, is safe. -1 with errno. */
int file_sync(int fd);
/* The folder that holds path, for folder_sync: a descriptor, or -1 with errno. */
int folder_open(const char *path);
/* Waits until the names in a folder are safe. -1 with errno. */
int folder_sync(int fd);
/* Lets the disk begin with a range of bytes, without waiting, so that file_sync has less to do. */
void file_write_behind(int fd, uint64_t offset, uint64_t len);

#endif
