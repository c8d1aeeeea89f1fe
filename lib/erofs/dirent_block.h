/* SPDX-License-Identifier: Apache-2.0 */
/* One block of a directory as it stands in an image: entries, then their names. */
#ifndef MKROOTFS_EROFS_DIRENT_BLOCK_H
#define MKROOTFS_EROFS_DIRENT_BLOCK_H

#include "read_directory.h"

struct dirent_block {
	uint8_t bytes[EROFS_BLOCK_SIZE];
	size_t len;
	size_t count; /* of entries, at least 1 */
	size_t sound; /* up to here, no name holds a slash or a NUL */
};

/* Reads the block with that number; the directory's last one may be short. */
int dirent_block_read(struct dirent_block *block, const struct erofs_placed_inode *directory,
		      struct erofs_reader *reader, uint64_t number, struct mkrootfs_error *error);
/*
 * Entry i, i < count. The name is borrowed from the block. After a failure it is NULL where the
 * block is damaged, else it is a name that is not possible.
 */
int dirent_block_get(struct erofs_entry *entry, const struct dirent_block *block, size_t i,
		     struct mkrootfs_error *error);
/* The number of blocks; directories without entries are MALFORMED. */
int dirent_block_count(uint64_t *count, const struct erofs_placed_inode *directory,
		       struct mkrootfs_error *error);

/* The name before: names must rise strictly, over block borders too. A zeroed one is none. */
struct dirent_last {
	const char *name; /* in the block, or in bytes */
	size_t len;
	char bytes[EROFS_NAME_LEN];
};
/* MALFORMED when the entry does not come behind the one before; else it takes its place. */
int dirent_follow(struct dirent_last *last, const struct erofs_entry *entry,
		  struct mkrootfs_error *error);
/* Before the block goes: keeps the name. */
void dirent_keep(struct dirent_last *last);

/* memcmp's order; a name that another one starts with comes first. */
int dirent_compare(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
