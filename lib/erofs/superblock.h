/* SPDX-License-Identifier: Apache-2.0 */
/* The EROFS superblock: 128 bytes at offset 1024. */
#ifndef MKROOTFS_EROFS_SUPERBLOCK_H
#define MKROOTFS_EROFS_SUPERBLOCK_H

#include "../base/error.h"
#include "../base/uuid.h"
#include "format.h"

struct erofs_superblock {
	uint32_t feature_compat;
	uint32_t feature_incompat;
	uint16_t root_nid;    /* rb.rootnid_2b */
	uint64_t inodes;      /* inos */
	uint64_t epoch;	      /* build_time, seconds; the mtime of compact inodes */
	uint32_t epoch_nsec;  /* build_time_nsec */
	uint32_t blocks;      /* of the whole device */
	uint32_t meta_block;  /* meta_blkaddr: nid 0 stands at its start */
	uint32_t xattr_block; /* xattr_blkaddr: shared xattr 0 stands at its start */
	uint8_t uuid[UUID_SIZE];
	char volume_name[17];
};

/*
 * Writes the superblock into block, the first EROFS_BLOCK_SIZE bytes of the image as they will
 * stand on disk (the checksum covers what follows the superblock too).
 */
void erofs_superblock_encode(uint8_t *block, const struct erofs_superblock *sb);
/*
 * Reads the first EROFS_BLOCK_SIZE bytes of an image. Fails with MALFORMED when it is no EROFS or
 * the checksum is wrong, with UNSUPPORTED when block size and features are not those of an image
 * that this library can read.
 */
int erofs_superblock_decode(struct erofs_superblock *sb, const uint8_t *block,
			    struct mkrootfs_error *error);

#endif
