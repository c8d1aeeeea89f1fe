/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of a filesystem that change together or not at all: by way of its journal (jbd2), as the
 * kernel would. After a crash whoever mounts or checks it next replays the journal.
 *
 *	struct ext4_transaction t = { .fs = &fs };
 *	ext4_transaction_read(&t, &data, block, true, error);	lends the block, to be changed
 *	ext4_transaction_commit(&t, super, error);
 *	ext4_transaction_free(&t);
 *
 * Where nothing but the superblock matters to the filesystem as it was, the journal is not needed:
 * that one write is the step from the old to the new.
 */
#ifndef MKROOTFS_EXT4_TRANSACTION_H
#define MKROOTFS_EXT4_TRANSACTION_H

#include "existing.h"

struct ext4_change {
	uint64_t block;
	uint8_t *data;
};

struct ext4_transaction {
	struct ext4_existing *fs;
	struct ext4_change *changes;
	uint32_t count;
	size_t room;
	bool visible; /* some change shows in the filesystem as it was */
};

/* Lends a block as it stands, or as changed before. visible: see above. */
int ext4_transaction_read(struct ext4_transaction *t, uint8_t **data, uint64_t block, bool visible,
			  struct mkrootfs_error *error);
/* The same, beginning with zeros. */
int ext4_transaction_new(struct ext4_transaction *t, uint8_t **data, uint64_t block, bool visible,
			 struct mkrootfs_error *error);
/* super: the new one, with its checksum. Returns when it is on the disk. */
int ext4_transaction_commit(struct ext4_transaction *t, const uint8_t super[EXT4_SUPER_SIZE],
			    struct mkrootfs_error *error);
void ext4_transaction_free(struct ext4_transaction *t);

#endif
