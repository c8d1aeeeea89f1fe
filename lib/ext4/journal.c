/* SPDX-License-Identifier: Apache-2.0 */
#include "journal.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"

#include <string.h>

void ext4_encode_journal(uint8_t out[EXT4_BLOCK_SIZE], uint32_t blocks, const uint8_t uuid[16])
{
	memset(out, 0, EXT4_BLOCK_SIZE);
	put_be32(out + 0x00, JBD2_MAGIC_NUMBER);
	put_be32(out + 0x04, JBD2_SUPERBLOCK_V2);
	put_be32(out + 0x0C, EXT4_BLOCK_SIZE);
	put_be32(out + 0x10, blocks); /* s_maxlen */
	put_be32(out + 0x14, 1);      /* s_first: the block behind this one */
	put_be32(out + 0x18, 1);      /* s_sequence: of the first transaction to come */
	/* s_start 0: nothing to replay. The features are those that the kernel sets at a mount. */
	put_be32(out + 0x28, JBD2_FEATURE_INCOMPAT_64BIT | JBD2_FEATURE_INCOMPAT_CSUM_V3);
	memcpy(out + 0x30, uuid, 16);
	put_be32(out + 0x40, 1); /* s_nr_users */
	out[0x50] = JBD2_CRC32C_CHKSUM;
	put_be32(out + 0xFC, crc32c(UINT32_MAX, out, JBD2_SUPERBLOCK_SIZE)); /* s_checksum */
}
