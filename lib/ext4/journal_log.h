/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal of an existing filesystem, empty, to hold one transaction.
 *
 *	struct ext4_journal_log log;
 *	ext4_journal_open(&log, &fs, error);			MALFORMED, UNSUPPORTED
 *	ext4_journal_write(&log, changes, count, error);	and sync; nobody looks at it yet
 *	ext4_journal_point(&log, true, error);			now it is to be replayed
 *	ext4_journal_point(&log, false, error);			not any more
 */
#ifndef MKROOTFS_EXT4_JOURNAL_LOG_H
#define MKROOTFS_EXT4_JOURNAL_LOG_H

#include "transaction.h"

struct ext4_journal_log {
	const struct ext4_disk *disk;
	struct ext4_extent extents[EXT4_INLINE_EXTENTS];
	uint32_t extent_count;
	uint32_t blocks;
	uint32_t sequence; /* of the transaction */
	uint32_t seed;
	uint8_t super[EXT4_BLOCK_SIZE];
};

int ext4_journal_open(struct ext4_journal_log *log, const struct ext4_existing *fs,
		      struct mkrootfs_error *error);
int ext4_journal_write(struct ext4_journal_log *log, const struct ext4_change *changes,
		       uint32_t count, struct mkrootfs_error *error);
int ext4_journal_point(struct ext4_journal_log *log, bool replay, struct mkrootfs_error *error);

#endif
