/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that gets its name when it is complete.
 *
 *	temp_file_open(&t, folder, false, error);
 *	write(t.fd, ...);
 *	temp_file_publish(&t, path, replace, error);
 *	temp_file_close(&t);			without a publish it discards
 *
 * Linux files are unnamed until then (O_TMPFILE). Elsewhere, and for the moment of replacing an
 * existing file, the name is ".mkrootfs-PID-N.tmp". An flock tells temp_file_clean that the writer
 * lives.
 */
#ifndef MKROOTFS_IO_TEMP_FILE_H
#define MKROOTFS_IO_TEMP_FILE_H

#include "../base/error.h"

#include <stdbool.h>

struct temp_file {
	int fd;
	char *path; /* NULL while it has no name, and again once it has its final one */
};

/* named: with a name from the start, as where there are no unnamed files. */
int temp_file_open(struct temp_file *temp, const char *folder, bool named,
		   struct mkrootfs_error *error);
/* Gives the final name; without replace, an existing file stays and the errno is EEXIST. */
int temp_file_publish(struct temp_file *temp, const char *path, bool replace,
		      struct mkrootfs_error *error);
void temp_file_close(struct temp_file *temp);
/* Unlinks those in folder whose writers are gone. */
void temp_file_clean(const char *folder);

#endif
