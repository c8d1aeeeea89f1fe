/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal's own superblock (jbd2), the first block of the journal's inode. Of an empty journal
 * nothing else is ever read, so the rest may be a hole.
 */
#ifndef MKROOTFS_EXT4_JOURNAL_H
#define MKROOTFS_EXT4_JOURNAL_H

#include "format.h"

/* blocks: of the whole journal, this one included. uuid: the filesystem's. */
void ext4_encode_journal(uint8_t out[EXT4_BLOCK_SIZE], uint32_t blocks, const uint8_t uuid[16]);

#endif
