/* SPDX-License-Identifier: Apache-2.0 */
#include "inode.h"

#include "inode_encode.h"

#include <string.h>

static void decode_compact(struct erofs_inode *inode, const uint8_t *bytes)
{
	inode->nlink = get_le16(bytes + COMPACT_NLINK);
	inode->size = get_le32(bytes + I_SIZE);
	inode->uid = get_le16(bytes + COMPACT_UID);
	inode->gid = get_le16(bytes + COMPACT_GID);
}

static void decode_extended(struct erofs_inode *inode, const uint8_t *bytes)
{
	inode->size = get_le64(bytes + I_SIZE);
	inode->uid = get_le32(bytes + EXTENDED_UID);
	inode->gid = get_le32(bytes + EXTENDED_GID);
	inode->mtime = (int64_t)get_le64(bytes + EXTENDED_MTIME);
	inode->mtime_nsec = get_le32(bytes + EXTENDED_MTIME_NSEC);
	inode->nlink = get_le32(bytes + EXTENDED_NLINK);
}

int erofs_inode_decode(struct erofs_inode *inode, const uint8_t *bytes, size_t len,
		       struct mkrootfs_error *error)
{
	uint16_t format = get_le16(bytes + I_FORMAT);

	memset(inode, 0, sizeof(*inode));
	inode->extended = format & EROFS_I_VERSION_EXTENDED;
	inode->layout = (uint8_t)(format >> EROFS_I_DATALAYOUT_BIT & 7);
	if (format >> (EROFS_I_DATALAYOUT_BIT + 3) || inode->layout > EROFS_INODE_CHUNK_BASED)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "unknown inode format 0x%x",
				 format);
	if (len < erofs_inode_size(inode->extended))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "an inode runs past the image's end");
	inode->xattr_count = get_le16(bytes + I_XATTR_ICOUNT);
	inode->mode = get_le16(bytes + I_MODE);
	inode->u = get_le32(bytes + I_U);
	inode->number = get_le32(bytes + I_INO);
	if (inode->extended)
		decode_extended(inode, bytes);
	else
		decode_compact(inode, bytes);
	return 0;
}

uint32_t erofs_device_encode(uint32_t major, uint32_t minor)
{
	return (minor & 0xff) | major << 8 | (minor & ~0xffu) << 12;
}

void erofs_device_decode(uint32_t *major, uint32_t *minor, uint32_t encoded)
{
	*major = encoded >> 8 & 0xfff;
	*minor = (encoded & 0xff) | (encoded >> 12 & 0xfff00);
}
