/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several files in a row, read as one: the disk that a descriptor stitches, without stitching it.
 *
 *	extents_create(&disk, error);
 *	extents_add(disk, "fsmeta.erofs", EXTENTS_WHOLE, error);
 *	extents_add(disk, "0123.erofs", EXTENTS_WHOLE, error);
 *	extents_read(disk, offset, buffer, len, error);
 *	extents_find(&place, disk, offset);		which file holds this byte
 *	extents_close(disk);
 *
 * Files stay open, so what was removed or replaced meanwhile is still read as it was.
 */
#ifndef MKROOTFS_IO_EXTENTS_H
#define MKROOTFS_IO_EXTENTS_H

#include "../base/error.h"

#include <stdbool.h>

struct extents;

/* Where a byte stands, and what follows it in the same file. */
struct extent_place {
	int fd;		  /* borrowed */
	const char *path; /* borrowed */
	size_t index;	  /* of the file, in the order of adding */
	uint64_t offset;  /* in the file */
	uint64_t left;	  /* bytes of this file from there on, at least 1 */
};

#define EXTENTS_WHOLE UINT64_MAX

int extents_create(struct extents **out, struct mkrootfs_error *error);
/*
 * Appends the first size bytes of a regular file, or all of it. A file that is shorter, and more
 * bytes than fit 63 bits, are MALFORMED.
 */
int extents_add(struct extents *extents, const char *path, uint64_t size,
		struct mkrootfs_error *error);
void extents_close(struct extents *extents);

/* Bytes of all files together. */
uint64_t extents_size(const struct extents *extents);
size_t extents_count(const struct extents *extents);
/* The name under which a file was added; of the first one, for messages about the whole. */
const char *extents_path(const struct extents *extents, size_t index);
/* False past the end. */
bool extents_find(struct extent_place *place, const struct extents *extents, uint64_t offset);
/* Copies exactly len bytes; past the end is MALFORMED. */
int extents_read(const struct extents *extents, uint64_t offset, void *out, size_t len,
		 struct mkrootfs_error *error);

#endif
