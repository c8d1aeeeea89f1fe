/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding an inode's extended attributes. */
#ifndef MKROOTFS_EROFS_READ_XATTRS_H
#define MKROOTFS_EROFS_READ_XATTRS_H

#include "reader.h"

/* The xattr body of size bytes at offset, as a set of the pool. */
int erofs_read_xattrs(struct erofs_reader *reader, struct xattr_pool *pool, uint32_t *set,
		      uint64_t offset, uint32_t size, struct mkrootfs_error *error);

#endif
