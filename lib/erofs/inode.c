/* SPDX-License-Identifier: Apache-2.0 */
#include "inode.h"

#include "../base/bytes.h"

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

static void encode_compact(uint8_t *out, const struct erofs_inode *inode)
{
	memset(out, 0, EROFS_INODE_COMPACT_SIZE);
	put_le16(out + COMPACT_NLINK, (uint16_t)inode->nlink);
	put_le32(out + I_SIZE, (uint32_t)inode->size);
	put_le16(out + COMPACT_UID, (uint16_t)inode->uid);
	put_le16(out + COMPACT_GID, (uint16_t)inode->gid);
}

static void encode_extended(uint8_t *out, const struct erofs_inode *inode)
{
	memset(out, 0, EROFS_INODE_EXTENDED_SIZE);
	put_le64(out + I_SIZE, inode->size);
	put_le32(out + EXTENDED_UID, inode->uid);
	put_le32(out + EXTENDED_GID, inode->gid);
	put_le64(out + EXTENDED_MTIME, (uint64_t)inode->mtime);
	put_le32(out + EXTENDED_MTIME_NSEC, inode->mtime_nsec);
	put_le32(out + EXTENDED_NLINK, inode->nlink);
}

void erofs_inode_encode(uint8_t *out, const struct erofs_inode *inode)
{
	uint32_t format = (uint32_t)inode->layout << EROFS_I_DATALAYOUT_BIT;

	if (inode->extended)
		encode_extended(out, inode);
	else
		encode_compact(out, inode);
	put_le16(out + I_FORMAT,
		 (uint16_t)(inode->extended ? format | EROFS_I_VERSION_EXTENDED : format));
	put_le16(out + I_XATTR_ICOUNT, inode->xattr_count);
	put_le16(out + I_MODE, inode->mode);
	put_le32(out + I_U, inode->u);
	put_le32(out + I_INO, inode->number);
}

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
