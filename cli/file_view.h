/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attributes of a file of an image as people read them.
 *
 *	char mode[MODE_TEXT], time[TIME_TEXT];
 *
 *	printf("%s %s\n", mode_format(mode, st->mode), time_format(time, st, false));
 */
#ifndef CLI_FILE_VIEW_H
#define CLI_FILE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include <mkrootfs.h>

#define MODE_TEXT 11 /* bytes with the NUL */
#define TIME_TEXT 64

/* "-rwsr-xr-x" */
const char *mode_format(char text[MODE_TEXT], uint32_t mode);
/* "2026-11-30T12:00:00Z", in UTC; precise: with nanoseconds. Times without a year are "@SECONDS".
 */
const char *time_format(char text[TIME_TEXT], const struct mkrootfs_stat *stat, bool precise);
/* "file", "directory", "symlink", "char", "block", "fifo", "socket" or "unknown". */
const char *type_name(uint32_t mode);
bool is_type(const struct mkrootfs_stat *stat, uint32_t type);
/* A character device 0:0: what a layer deletes. */
bool is_whiteout(const struct mkrootfs_stat *stat);

#endif
