/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the fields of on-disk inodes stand, and how they get there. Inline: this is done for every
 * inode of an image, and what has been put together for it then never stands in memory.
 */
#ifndef MKROOTFS_EROFS_INODE_ENCODE_H
#define MKROOTFS_EROFS_INODE_ENCODE_H

#include "../base/bytes.h"
#include "inode.h"

#include <string.h>

/* Both forms begin alike; then the offsets part. */
enum {
	I_FORMAT = 0,
	I_XATTR_ICOUNT = 2,
	I_MODE = 4,
	I_SIZE = 8,
	I_U = 16,
	I_INO = 20,
	COMPACT_NLINK = 6,
	COMPACT_UID = 24,
	COMPACT_GID = 26,
	EXTENDED_UID = 24,
	EXTENDED_GID = 28,
	EXTENDED_MTIME = 32,
	EXTENDED_MTIME_NSEC = 40,
	EXTENDED_NLINK = 44,
};

static inline void inode_encode_compact(uint8_t *out, const struct erofs_inode *inode)
{
	memset(out, 0, EROFS_INODE_COMPACT_SIZE);
	put_le16(out + COMPACT_NLINK, (uint16_t)inode->nlink);
	put_le32(out + I_SIZE, (uint32_t)inode->size);
	put_le16(out + COMPACT_UID, (uint16_t)inode->uid);
	put_le16(out + COMPACT_GID, (uint16_t)inode->gid);
}

static inline void inode_encode_extended(uint8_t *out, const struct erofs_inode *inode)
{
	memset(out, 0, EROFS_INODE_EXTENDED_SIZE);
	put_le64(out + I_SIZE, inode->size);
	put_le32(out + EXTENDED_UID, inode->uid);
	put_le32(out + EXTENDED_GID, inode->gid);
	put_le64(out + EXTENDED_MTIME, (uint64_t)inode->mtime);
	put_le32(out + EXTENDED_MTIME_NSEC, inode->mtime_nsec);
	put_le32(out + EXTENDED_NLINK, inode->nlink);
}

/* Writes erofs_inode_size() bytes. */
static inline void erofs_inode_encode(uint8_t *out, const struct erofs_inode *inode)
{
	uint32_t format = (uint32_t)inode->layout << EROFS_I_DATALAYOUT_BIT;

	if (inode->extended)
		inode_encode_extended(out, inode);
	else
		inode_encode_compact(out, inode);
	put_le16(out + I_FORMAT,
		 (uint16_t)(inode->extended ? format | EROFS_I_VERSION_EXTENDED : format));
	put_le16(out + I_XATTR_ICOUNT, inode->xattr_count);
	put_le16(out + I_MODE, inode->mode);
	put_le32(out + I_U, inode->u);
	put_le32(out + I_INO, inode->number);
}

#endif
