/* SPDX-License-Identifier: Apache-2.0 */
/* EROFS on-disk inodes, compact (32 bytes) and extended (64 bytes). */
#ifndef MKROOTFS_EROFS_INODE_H
#define MKROOTFS_EROFS_INODE_H

#include "../base/error.h"
#include "format.h"

#include <stdbool.h>

struct erofs_inode {
	bool extended;
	uint8_t layout;	      /* EROFS_INODE_FLAT_PLAIN, ..._FLAT_INLINE, ... */
	uint16_t xattr_count; /* i_xattr_icount */
	uint16_t mode;
	uint32_t nlink;
	uint64_t size;
	uint32_t u;	 /* i_u: first block, device number or chunk format */
	uint32_t number; /* i_ino, what a 32-bit stat shows */
	uint32_t uid;
	uint32_t gid;
	int64_t mtime; /* of extended inodes; compact ones have the superblock's epoch */
	uint32_t mtime_nsec;
};

/* Bytes that the inode takes on disk. */
static inline uint32_t erofs_inode_size(bool extended)
{
	return extended ? EROFS_INODE_EXTENDED_SIZE : EROFS_INODE_COMPACT_SIZE;
}

/* Bytes of the xattr body behind the inode, from i_xattr_icount. */
static inline uint32_t erofs_xattr_ibody_size(uint16_t count)
{
	return count ? EROFS_XATTR_IBODY_HEADER_SIZE + EROFS_XATTR_ENTRY_SIZE * (count - 1u) : 0;
}

/* bytes holds EROFS_INODE_EXTENDED_SIZE bytes, or 32 where the image ends behind a compact inode.
 */
int erofs_inode_decode(struct erofs_inode *inode, const uint8_t *bytes, size_t len,
		       struct mkrootfs_error *error);

/* rdev as in the kernel's new_encode_dev: minor & 0xff | major << 8 | (minor & ~0xff) << 12. */
uint32_t erofs_device_encode(uint32_t major, uint32_t minor);
void erofs_device_decode(uint32_t *major, uint32_t *minor, uint32_t encoded);

#endif
