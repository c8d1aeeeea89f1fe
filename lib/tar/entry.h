/* SPDX-License-Identifier: Apache-2.0 */
/* One member of a tar archive, with every extension already applied. Plain data. */
#ifndef MKROOTFS_TAR_ENTRY_H
#define MKROOTFS_TAR_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tar_type {
	TAR_FILE,
	TAR_HARDLINK,
	TAR_SYMLINK,
	TAR_CHARACTER,
	TAR_BLOCK,
	TAR_DIRECTORY,
	TAR_FIFO,
};

struct tar_xattr {
	const char *name; /* "user.comment", NUL-terminated */
	size_t name_len;
	const uint8_t *value; /* raw bytes */
	size_t value_len;
};

/* Everything is borrowed from the reader until its next call. Names are bytes as they stand in the
 * archive, NUL-terminated, not normalised. */
struct tar_entry {
	enum tar_type type;
	const char *path;
	size_t path_len;
	const char *link; /* target of a symlink or hard link, else "" */
	size_t link_len;
	uint32_t mode; /* the 12 permission bits */
	uint32_t uid;
	uint32_t gid;
	int64_t mtime;	     /* seconds since 1970, may be negative */
	uint32_t mtime_nsec; /* 0 to 999,999,999; counts forward, so -1.5 s is -2 and 500,000,000 */
	uint32_t device_major;
	uint32_t device_minor;
	uint64_t size; /* bytes of a file as a reader sees it, holes included; else 0 */
	bool sparse;   /* the archive stores a map of holes */
	const struct tar_xattr *xattrs; /* POSIX ACLs are xattrs in the kernel's format */
	size_t xattr_count;
};

#endif
