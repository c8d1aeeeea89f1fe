/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction.h"

#include "../base/array.h"
#include "../base/bytes.h"
#include "journal_log.h"

#include <stdlib.h>
#include <string.h>

static struct ext4_change *find(const struct ext4_transaction *t, uint64_t block)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->changes[i].block == block)
			return &t->changes[i];
	return NULL;
}

static int add(struct ext4_transaction *t, uint8_t **data, uint64_t block,
	       struct mkrootfs_error *error)
{
	if (array_reserve(&t->changes, &t->room, t->count, sizeof(*t->changes), error) < 0)
		return error->status;
	*data = calloc(1, EXT4_BLOCK_SIZE);
	if (!*data)
		return error_no_memory(error);
	t->changes[t->count++] = (struct ext4_change){ block, *data };
	return 0;
}

int ext4_transaction_new(struct ext4_transaction *t, uint8_t **data, uint64_t block, bool visible,
			 struct mkrootfs_error *error)
{
	struct ext4_change *change = find(t, block);

	t->visible |= visible;
	*data = change ? change->data : NULL;
	return change ? 0 : add(t, data, block, error);
}

int ext4_transaction_read(struct ext4_transaction *t, uint8_t **data, uint64_t block, bool visible,
			  struct mkrootfs_error *error)
{
	struct ext4_change *change = find(t, block);

	t->visible |= visible;
	*data = change ? change->data : NULL;
	if (change)
		return 0;
	if (add(t, data, block, error) < 0 ||
	    ext4_disk_read(t->fs->disk, block, *data, 1, error) < 0) {
		*data = NULL;
		return error->status;
	}
	return 0;
}

static int write_changes(const struct ext4_transaction *t, struct mkrootfs_error *error)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (ext4_disk_write(t->fs->disk, t->changes[i].block, t->changes[i].data, 1,
				    error) < 0)
			return error->status;
	return ext4_disk_sync(t->fs->disk, error);
}

static int write_super(const struct ext4_transaction *t, const uint8_t super[EXT4_SUPER_SIZE],
		       struct mkrootfs_error *error)
{
	if (ext4_disk_write_super(t->fs->disk, super, error) < 0)
		return error->status;
	return ext4_disk_sync(t->fs->disk, error);
}

/* The same superblock, which says that the journal has to be replayed. */
static void mark(uint8_t out[EXT4_SUPER_SIZE], const uint8_t super[EXT4_SUPER_SIZE])
{
	memcpy(out, super, EXT4_SUPER_SIZE);
	put_le32(out + 0x060, get_le32(out + 0x060) | EXT4_FEATURE_INCOMPAT_RECOVER);
	ext4_seal_super(out);
}

/*
 * The flag is set before the journal points to the transaction: the flag alone is harmless, a
 * transaction without it would be ignored. It is cleared last for the same reason.
 */
static int commit_by_journal(struct ext4_transaction *t, const uint8_t super[EXT4_SUPER_SIZE],
			     struct mkrootfs_error *error)
{
	uint8_t marked[EXT4_SUPER_SIZE], *first;
	struct ext4_journal_log log;

	if (ext4_transaction_read(t, &first, 0, true, error) < 0 ||
	    ext4_journal_open(&log, t->fs, error) < 0)
		return error->status;
	mark(first + EXT4_SUPER_OFFSET, super);
	mark(marked, t->fs->super);
	if (ext4_journal_write(&log, t->changes, t->count, error) < 0 ||
	    write_super(t, marked, error) < 0 || ext4_journal_point(&log, true, error) < 0 ||
	    write_changes(t, error) < 0 || ext4_journal_point(&log, false, error) < 0)
		return error->status;
	return write_super(t, super, error);
}

int ext4_transaction_commit(struct ext4_transaction *t, const uint8_t super[EXT4_SUPER_SIZE],
			    struct mkrootfs_error *error)
{
	if (t->visible)
		return commit_by_journal(t, super, error);
	if (write_changes(t, error) < 0)
		return error->status;
	return write_super(t, super, error);
}

void ext4_transaction_free(struct ext4_transaction *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		free(t->changes[i].data);
	free(t->changes);
	memset(t, 0, sizeof(*t));
}
