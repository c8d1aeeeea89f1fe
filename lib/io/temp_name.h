/* SPDX-License-Identifier: Apache-2.0 */
/* The names of temporary files: ".mkrootfs-PID-N.tmp". */
#ifndef MKROOTFS_IO_TEMP_NAME_H
#define MKROOTFS_IO_TEMP_NAME_H

#include <stdbool.h>

/*
 * Calls make with one name in folder after the other until it gives no EEXIST. *path is the name
 * that was made, the caller's to free; or NULL, with -1 and errno.
 */
int temp_name_make(char **path, const char *folder, int (*make)(const char *path, void *user),
		   void *user);
bool temp_name_is(const char *name);

#endif
