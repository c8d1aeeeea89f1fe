/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A regular file or block device, open for reading and writing, without a buffer. Errors name it.
 *
 *	raw_file_init(&f, fd, error, "a new file in '%s'", folder);	the caller closes fd
 *	raw_file_write(&f, offset, data, len, error);
 *	raw_file_sync(&f, error);
 *	raw_file_free(&f);
 */
#ifndef MKROOTFS_IO_RAW_FILE_H
#define MKROOTFS_IO_RAW_FILE_H

#include "../base/error.h"
#include "range_copy.h"

#include <stdbool.h>
#include <stddef.h>

struct raw_file {
	int fd;
	char *name;
	bool device;	   /* a block device: its size is fixed, and it is not empty at first */
	uint64_t size_max; /* bytes */
	uint64_t
		filled; /* the furthest end of a write or resize; of a device, zeroed up to there */
	uint64_t behind;  /* write-behind was started for all of the current run before this */
	uint64_t run_end; /* where the next write goes on with the run */
	struct range_copy copy;
	bool sync_early;   /* the caller's to set: large files are synced while they are written */
	uint64_t unsynced; /* bytes since the thread was told last */
	struct sync_ahead *ahead; /* its thread, or NULL */
};

/* format is for its name in messages. */
int raw_file_init(struct raw_file *file, int fd, struct mkrootfs_error *error, const char *format,
		  ...) __attribute__((format(printf, 4, 5)));
void raw_file_free(struct raw_file *file);

/* Fails for a range that the file can never have. */
int raw_file_check(const struct raw_file *file, uint64_t offset, uint64_t len,
		   struct mkrootfs_error *error);
/* What is skipped reads as zeros, on devices too. */
int raw_file_write(struct raw_file *file, uint64_t offset, const void *data, size_t len,
		   struct mkrootfs_error *error);
/* Copies from another file; holes of it must be over what was never written. */
int raw_file_copy(struct raw_file *file, uint64_t offset, int from, uint64_t from_offset,
		  uint64_t len, struct mkrootfs_error *error);
int raw_file_read(const struct raw_file *file, uint64_t offset, void *data, size_t len,
		  struct mkrootfs_error *error);
/* On a device: zeroes what was not written before size. */
int raw_file_resize(struct raw_file *file, uint64_t size, struct mkrootfs_error *error);
int raw_file_sync(struct raw_file *file, struct mkrootfs_error *error);

#endif
