/* SPDX-License-Identifier: Apache-2.0 */
#include "journal_log.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"
#include "inode_read.h"

#include <inttypes.h>
#include <string.h>

/* Tags in a descriptor block: behind the first stands the journal's UUID, at the end a checksum. */
#define TAGS_MAX ((EXT4_BLOCK_SIZE - JBD2_HEADER_SIZE - 16 - 4) / JBD2_TAG_SIZE)

static uint64_t place_of(const struct ext4_journal_log *log, uint32_t block)
{
	uint32_t i = 0;

	while (block >= log->extents[i].count)
		block -= log->extents[i++].count;
	return log->extents[i].physical + block;
}

static int malformed(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "ext4 journal: %s", what);
}

static int read_inode(struct ext4_journal_log *log, const struct ext4_existing *fs,
		      struct mkrootfs_error *error)
{
	uint8_t inode[EXT4_INODE_SIZE];

	if (ext4_inode_read(inode, fs, EXT4_JOURNAL_INO, error) < 0 ||
	    ext4_inode_extents(log->extents, &log->extent_count, inode, fs, error) < 0)
		return error_prefix(error, "ext4 journal: ");
	for (uint32_t i = 0; i < log->extent_count; i++)
		log->blocks += log->extents[i].count;
	if (log->blocks < JBD2_MIN_JOURNAL_BLOCKS)
		return malformed(error, "it is too small");
	return 0;
}

static uint32_t super_checksum(const uint8_t super[EXT4_BLOCK_SIZE])
{
	uint8_t copy[JBD2_SUPERBLOCK_SIZE];

	memcpy(copy, super, sizeof(copy));
	put_be32(copy + 0xFC, 0);
	return crc32c(UINT32_MAX, copy, sizeof(copy));
}

static int check_super(const struct ext4_journal_log *log, struct mkrootfs_error *error)
{
	const uint32_t needed = JBD2_FEATURE_INCOMPAT_64BIT | JBD2_FEATURE_INCOMPAT_CSUM_V3;
	const uint8_t *super = log->super;
	uint32_t incompatible = get_be32(super + 0x28);

	if (get_be32(super) != JBD2_MAGIC_NUMBER || get_be32(super + 4) != JBD2_SUPERBLOCK_V2)
		return malformed(error, "it has no superblock");
	if ((incompatible & ~JBD2_FEATURE_INCOMPAT_REVOKE) != needed || get_be32(super + 0x24) ||
	    get_be32(super + 0x2C) || super[0x50] != JBD2_CRC32C_CHKSUM)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "ext4 journal: its features (0x%" PRIx32 ") are not supported",
				 incompatible);
	if (get_be32(super + 0xFC) != super_checksum(super))
		return malformed(error, "its superblock's checksum is wrong");
	if (get_be32(super + 0x0C) != EXT4_BLOCK_SIZE || get_be32(super + 0x10) != log->blocks ||
	    get_be32(super + 0x14) != 1)
		return malformed(error, "its superblock is not that of its inode");
	if (get_be32(super + 0x1C) || get_be32(super + 0x20))
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "ext4 journal: it holds what has to be replayed first");
	return 0;
}

int ext4_journal_open(struct ext4_journal_log *log, const struct ext4_existing *fs,
		      struct mkrootfs_error *error)
{
	memset(log, 0, sizeof(*log));
	log->disk = fs->disk;
	if (read_inode(log, fs, error) < 0 ||
	    ext4_disk_read(log->disk, place_of(log, 0), log->super, 1, error) < 0 ||
	    check_super(log, error) < 0)
		return error->status;
	log->sequence = get_be32(log->super + 0x18);
	log->seed = crc32c(UINT32_MAX, log->super + 0x30, 16);
	return 0;
}

static void put_header(uint8_t *out, uint32_t type, uint32_t sequence)
{
	memset(out, 0, EXT4_BLOCK_SIZE);
	put_be32(out, JBD2_MAGIC_NUMBER);
	put_be32(out + 4, type);
	put_be32(out + 8, sequence);
}

/* Of what the log holds of a block: with its first word zeroed, should that be the magic number. */
static uint32_t tag_checksum(const struct ext4_journal_log *log, const uint8_t *data)
{
	uint8_t sequence[4];

	put_be32(sequence, log->sequence);
	return crc32c(crc32c(log->seed, sequence, 4), data, EXT4_BLOCK_SIZE);
}

struct log_writer {
	struct ext4_journal_log *log;
	uint32_t next; /* block of the journal */
	uint8_t descriptor[EXT4_BLOCK_SIZE];
	uint8_t block[EXT4_BLOCK_SIZE];
};

static int append(struct log_writer *w, uint32_t at, const uint8_t *data,
		  struct mkrootfs_error *error)
{
	return ext4_disk_write(w->log->disk, place_of(w->log, at), data, 1, error);
}

/* One descriptor block and those that it describes. */
static int write_run(struct log_writer *w, const struct ext4_change *changes, uint32_t count,
		     struct mkrootfs_error *error)
{
	uint32_t own = w->next++;
	uint8_t *tag = w->descriptor + JBD2_HEADER_SIZE;

	put_header(w->descriptor, JBD2_DESCRIPTOR_BLOCK, w->log->sequence);
	for (uint32_t i = 0; i < count; i++, tag += JBD2_TAG_SIZE + (i == 1 ? 16 : 0)) {
		uint32_t flags = (i > 0 ? JBD2_FLAG_SAME_UUID : 0) |
				 (i == count - 1 ? JBD2_FLAG_LAST_TAG : 0);

		memcpy(w->block, changes[i].data, EXT4_BLOCK_SIZE);
		if (get_be32(w->block) == JBD2_MAGIC_NUMBER) {
			flags |= JBD2_FLAG_ESCAPE;
			put_be32(w->block, 0);
		}
		put_be32(tag, (uint32_t)changes[i].block);
		put_be32(tag + 4, flags);
		put_be32(tag + 8, (uint32_t)(changes[i].block >> 32));
		put_be32(tag + 12, tag_checksum(w->log, w->block));
		if (i == 0)
			memcpy(tag + JBD2_TAG_SIZE, w->log->super + 0x30, 16);
		if (append(w, w->next++, w->block, error) < 0)
			return error->status;
	}
	put_be32(w->descriptor + EXT4_BLOCK_SIZE - 4,
		 crc32c(w->log->seed, w->descriptor, EXT4_BLOCK_SIZE));
	return append(w, own, w->descriptor, error);
}

static int write_commit(struct log_writer *w, struct mkrootfs_error *error)
{
	put_header(w->block, JBD2_COMMIT_BLOCK, w->log->sequence);
	put_be32(w->block + 16, crc32c(w->log->seed, w->block, EXT4_BLOCK_SIZE));
	return append(w, w->next++, w->block, error);
}

int ext4_journal_write(struct ext4_journal_log *log, const struct ext4_change *changes,
		       uint32_t count, struct mkrootfs_error *error)
{
	uint64_t needed = (uint64_t)count + (count + TAGS_MAX - 1) / TAGS_MAX + 2;
	struct log_writer w = { .log = log, .next = 1 };

	if (needed > log->blocks)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "ext4 journal: its %" PRIu32 " blocks do not take the %" PRIu64
				 " that would change at once",
				 log->blocks, needed);
	for (uint32_t done = 0; done < count;) {
		uint32_t run = count - done < TAGS_MAX ? count - done : (uint32_t)TAGS_MAX;

		if (write_run(&w, changes + done, run, error) < 0)
			return error->status;
		done += run;
	}
	if (ext4_disk_sync(log->disk, error) < 0 || write_commit(&w, error) < 0)
		return error->status;
	return ext4_disk_sync(log->disk, error);
}

int ext4_journal_point(struct ext4_journal_log *log, bool replay, struct mkrootfs_error *error)
{
	put_be32(log->super + 0x18, log->sequence + !replay);
	put_be32(log->super + 0x1C, replay ? 1 : 0);
	put_be32(log->super + 0xFC, super_checksum(log->super));
	if (ext4_disk_write(log->disk, place_of(log, 0), log->super, 1, error) < 0)
		return error->status;
	return ext4_disk_sync(log->disk, error);
}
