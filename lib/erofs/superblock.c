/* SPDX-License-Identifier: Apache-2.0 */
#include "superblock.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"

#include <string.h>

/* Byte offsets in struct erofs_super_block. */
enum {
	MAGIC = 0,
	CHECKSUM = 4,
	FEATURE_COMPAT = 8,
	BLKSZBITS = 12,
	ROOT_NID = 14,
	INOS = 16,
	BUILD_TIME = 24,
	BUILD_TIME_NSEC = 32,
	BLOCKS = 36,
	META_BLKADDR = 40,
	XATTR_BLKADDR = 44,
	UUID = 48,
	VOLUME_NAME = 64,
	FEATURE_INCOMPAT = 80,
	DIRBLKBITS = 90,
};

/* Those of compression change nothing but compressed inodes, which are refused one by one. */
static const uint32_t known_incompat =
	EROFS_FEATURE_INCOMPAT_ZERO_PADDING | EROFS_FEATURE_INCOMPAT_COMPR_CFGS |
	EROFS_FEATURE_INCOMPAT_CHUNKED_FILE | EROFS_FEATURE_INCOMPAT_ZTAILPACKING |
	EROFS_FEATURE_INCOMPAT_FRAGMENTS;

static const char *feature_name(uint32_t incompat)
{
	if (incompat & EROFS_FEATURE_INCOMPAT_DEVICE_TABLE)
		return "a table of further devices";
	if (incompat & EROFS_FEATURE_INCOMPAT_XATTR_PREFIXES)
		return "long prefixes of extended attributes";
	if (incompat & EROFS_FEATURE_INCOMPAT_48BIT)
		return "48-bit block addresses";
	if (incompat & EROFS_FEATURE_INCOMPAT_METABOX)
		return "compressed metadata";
	return "features that are not known";
}

static uint32_t checksum(const uint8_t *block)
{
	static const uint8_t zero[4];
	const uint8_t *sb = block + EROFS_SUPER_OFFSET;
	uint32_t crc = crc32c(~0u, sb, CHECKSUM);

	crc = crc32c(crc, zero, sizeof(zero));
	return crc32c(crc, sb + CHECKSUM + 4, EROFS_BLOCK_SIZE - EROFS_SUPER_OFFSET - CHECKSUM - 4);
}

void erofs_superblock_encode(uint8_t *block, const struct erofs_superblock *sb)
{
	uint8_t *p = block + EROFS_SUPER_OFFSET;

	memset(p, 0, EROFS_SUPER_SIZE);
	put_le32(p + MAGIC, EROFS_SUPER_MAGIC_V1);
	put_le32(p + FEATURE_COMPAT, sb->feature_compat);
	p[BLKSZBITS] = EROFS_BLOCK_BITS;
	put_le16(p + ROOT_NID, sb->root_nid);
	put_le64(p + INOS, sb->inodes);
	put_le64(p + BUILD_TIME, sb->epoch);
	put_le32(p + BUILD_TIME_NSEC, sb->epoch_nsec);
	put_le32(p + BLOCKS, sb->blocks);
	put_le32(p + META_BLKADDR, sb->meta_block);
	put_le32(p + XATTR_BLKADDR, sb->xattr_block);
	memcpy(p + UUID, sb->uuid, UUID_SIZE);
	memcpy(p + VOLUME_NAME, sb->volume_name, strnlen(sb->volume_name, 15));
	put_le32(p + FEATURE_INCOMPAT, sb->feature_incompat);
	put_le32(p + CHECKSUM, checksum(block));
}

static int check(const uint8_t *block, struct mkrootfs_error *error)
{
	const uint8_t *p = block + EROFS_SUPER_OFFSET;
	uint32_t incompat = get_le32(p + FEATURE_INCOMPAT);

	if (get_le32(p + MAGIC) != EROFS_SUPER_MAGIC_V1)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "not an EROFS image");
	/* Where the flag is missing the kernel does not check either; all that we write have it. */
	if ((get_le32(p + FEATURE_COMPAT) & EROFS_FEATURE_COMPAT_SB_CHKSUM) &&
	    get_le32(p + CHECKSUM) != checksum(block))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "the superblock's checksum is wrong");
	if (p[BLKSZBITS] != EROFS_BLOCK_BITS || p[DIRBLKBITS] != 0)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED, "blocks are not of 4 KiB");
	if (incompat & ~known_incompat)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "the EROFS image has %s (0x%x), which this version does not read",
				 feature_name(incompat & ~known_incompat),
				 incompat & ~known_incompat);
	return 0;
}

int erofs_superblock_decode(struct erofs_superblock *sb, const uint8_t *block,
			    struct mkrootfs_error *error)
{
	const uint8_t *p = block + EROFS_SUPER_OFFSET;
	int status = check(block, error);

	memset(sb, 0, sizeof(*sb));
	if (status < 0)
		return status;
	sb->feature_compat = get_le32(p + FEATURE_COMPAT);
	sb->feature_incompat = get_le32(p + FEATURE_INCOMPAT);
	sb->root_nid = get_le16(p + ROOT_NID);
	sb->inodes = get_le64(p + INOS);
	sb->epoch = get_le64(p + BUILD_TIME);
	sb->epoch_nsec = get_le32(p + BUILD_TIME_NSEC);
	sb->blocks = get_le32(p + BLOCKS);
	sb->meta_block = get_le32(p + META_BLKADDR);
	sb->xattr_block = get_le32(p + XATTR_BLKADDR);
	memcpy(sb->uuid, p + UUID, UUID_SIZE);
	memcpy(sb->volume_name, p + VOLUME_NAME, 16);
	return 0;
}
