/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directories of an image, without a tree: one name looked up, or all of them streamed.
 *
 *	erofs_read_head(&directory, reader, nid, error);
 *	erofs_find_entry(&entry, &directory, reader, "etc", 3, error);
 *	erofs_each_entry(&directory, reader, fn, user, error);
 */
#ifndef MKROOTFS_EROFS_READ_DIRECTORY_H
#define MKROOTFS_EROFS_READ_DIRECTORY_H

#include "read_inode.h"

struct erofs_entry {
	const char *name; /* borrowed, not NUL-terminated */
	size_t len;	  /* 1 to EROFS_NAME_LEN */
	uint64_t nid;
	uint8_t file_type; /* what the entry says; the inode decides */
};

typedef int (*erofs_entry_fn)(void *user, const struct erofs_entry *entry,
			      struct mkrootfs_error *error);

/*
 * All entries in their order, "." and ".." among them. Names that are not possible or not in
 * strictly rising order are MALFORMED, so a hostile directory ends. A non-zero status of fn ends
 * the walk and is returned.
 */
int erofs_each_entry(const struct erofs_placed_inode *directory, struct erofs_reader *reader,
		     erofs_entry_fn fn, void *user, struct mkrootfs_error *error);
/*
 * One name by binary search, as the kernel does: first over the blocks, then inside one. NOT_FOUND
 * when there is none. entry->name is the caller's name.
 */
int erofs_find_entry(struct erofs_entry *entry, const struct erofs_placed_inode *directory,
		     struct erofs_reader *reader, const char *name, size_t len,
		     struct mkrootfs_error *error);

/* "." or "..". */
bool erofs_is_dot(const char *name, size_t len);

#endif
