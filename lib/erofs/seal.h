/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seal of an image: hashes by which later damage is found, in the 1024 bytes before the
 * superblock, which EROFS leaves to others. It does not know the image's UUID, so that one content
 * has one seal. docs/formats.md describes it byte by byte.
 *
 * The hashes are XXH3 of 64 bits: they find what a disk or a program broke, not what somebody
 * forged.
 */
#ifndef MKROOTFS_EROFS_SEAL_H
#define MKROOTFS_EROFS_SEAL_H

#include "format.h"

#include <stdbool.h>
#include <stdint.h>

#define SEAL_SIZE EROFS_SUPER_OFFSET
#define SEAL_VERSION 1u

struct erofs_seal {
	uint32_t data_end;	/* the block behind the file data, which begin at block 1 */
	uint32_t table_block;	/* where the content table starts, behind the metadata */
	uint32_t table_entries; /* 0: neither data nor a table */
	uint32_t blocks;	/* of this image alone, without those that follow it on a disk */
	/* Of what follows the superblock in block 0, and of blocks data_end to table_block. */
	uint64_t metadata_hash;
	uint64_t table_hash; /* of the blocks from table_block to the image's end */
};

enum seal_state {
	SEAL_NONE,    /* made by others, or by an older version */
	SEAL_DAMAGED, /* there was one */
	SEAL_UNKNOWN, /* of a later version */
	SEAL_SOUND,
};

void erofs_seal_encode(uint8_t out[SEAL_SIZE], const struct erofs_seal *seal);
enum seal_state erofs_seal_decode(struct erofs_seal *seal, const uint8_t bytes[SEAL_SIZE]);

/* Blocks that a table of so many entries takes. */
static inline uint32_t erofs_seal_table_blocks(uint32_t entries)
{
	return (uint32_t)(((uint64_t)entries * 12 + EROFS_BLOCK_SIZE - 1) / EROFS_BLOCK_SIZE);
}

#endif
