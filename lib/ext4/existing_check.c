/* SPDX-License-Identifier: Apache-2.0 */
#include "existing_check.h"

#include "../base/bytes.h"
#include "../base/crc32c.h"
#include "feature_names.h"

#include <inttypes.h>

/* What every filesystem of this library has, and what it may have besides. */
static const struct {
	const char *kind;
	uint32_t offset, needed, allowed;
} features[] = {
	[EXT4_COMPAT] = { "compatible", 0x05C,
			  EXT4_FEATURE_COMPAT_HAS_JOURNAL | EXT4_FEATURE_COMPAT_EXT_ATTR,
			  EXT4_FEATURE_COMPAT_DIR_INDEX | EXT4_FEATURE_COMPAT_RESIZE_INODE },
	[EXT4_INCOMPAT] = { "incompatible", 0x060,
			    EXT4_FEATURE_INCOMPAT_FILETYPE | EXT4_FEATURE_INCOMPAT_EXTENTS |
				    EXT4_FEATURE_INCOMPAT_64BIT | EXT4_FEATURE_INCOMPAT_FLEX_BG,
			    EXT4_FEATURE_INCOMPAT_META_BG | EXT4_FEATURE_INCOMPAT_RECOVER },
	[EXT4_RO_COMPAT] = { "read-only compatible", 0x064,
			     EXT4_FEATURE_RO_COMPAT_SPARSE_SUPER |
				     EXT4_FEATURE_RO_COMPAT_LARGE_FILE |
				     EXT4_FEATURE_RO_COMPAT_EXTRA_ISIZE |
				     EXT4_FEATURE_RO_COMPAT_METADATA_CSUM,
			     EXT4_FEATURE_RO_COMPAT_HUGE_FILE | EXT4_FEATURE_RO_COMPAT_DIR_NLINK },
};

static int check_identity(const uint8_t *super, struct mkrootfs_error *error)
{
	if (get_le16(super + 0x038) != EXT4_SUPER_MAGIC)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "this is no ext4 filesystem");
	if (get_le32(super + 0x04C) != EXT4_DYNAMIC_REV)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "ext4 revision %" PRIu32 " is not supported",
				 get_le32(super + 0x04C));
	return 0;
}

static int check_features(const uint8_t *super, struct mkrootfs_error *error)
{
	for (int set = EXT4_COMPAT; set <= EXT4_RO_COMPAT; set++) {
		uint32_t has = get_le32(super + features[set].offset);
		uint32_t missing = features[set].needed & ~has;
		uint32_t other = has & ~(features[set].needed | features[set].allowed);
		char text[32];

		if (other)
			return error_set(
				error, MKROOTFS_ERROR_UNSUPPORTED,
				"the ext4 feature %s is not supported",
				ext4_feature_name(text, (enum ext4_feature_set)set, other));
		if (missing)
			return error_set(
				error, MKROOTFS_ERROR_UNSUPPORTED,
				"an ext4 filesystem without the feature %s is not supported",
				ext4_feature_name(text, (enum ext4_feature_set)set, missing));
	}
	return 0;
}

static int check_sum(const uint8_t *super, struct mkrootfs_error *error)
{
	if (super[0x175] != EXT4_CRC32C_CHKSUM)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "ext4 checksums of type %u are not supported", super[0x175]);
	if (get_le32(super + 0x3FC) != crc32c(UINT32_MAX, super, 0x3FC))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "ext4 superblock: its checksum is wrong");
	return 0;
}

/* Whoever left it so has work to do that must not be lost. */
static int check_state(const uint8_t *super, struct mkrootfs_error *error)
{
	uint16_t state = get_le16(super + 0x03A);

	if (get_le32(super + 0x060) & EXT4_FEATURE_INCOMPAT_RECOVER)
		error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
			  "the filesystem was not unmounted: its journal has to be replayed first");
	else if ((state & EXT4_ERROR_FS) || get_le32(super + 0x194))
		error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
			  "the filesystem has errors that a kernel has found");
	else if (!(state & EXT4_VALID_FS) || get_le32(super + 0x0E8))
		error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
			  "the filesystem was not unmounted cleanly");
	else
		return 0;
	return error_advise(error, "if no machine uses it, 'e2fsck -p FILE' puts it in order; so "
				   "does a guest that mounts and unmounts it, unless there are "
				   "errors");
}

/* What this library always writes. */
static int check_constants(const uint8_t *super, struct mkrootfs_error *error)
{
	static const struct {
		uint32_t offset, size, value;
		const char *what;
	} fields[] = {
		{ 0x014, 4, 0, "first data block" },
		{ 0x018, 4, EXT4_BLOCK_LOG_SIZE - EXT4_MIN_BLOCK_LOG_SIZE, "block size" },
		{ 0x01C, 4, EXT4_BLOCK_LOG_SIZE - EXT4_MIN_BLOCK_LOG_SIZE, "cluster size" },
		{ 0x020, 4, EXT4_BLOCKS_PER_GROUP, "number of blocks in a group" },
		{ 0x054, 4, EXT4_GOOD_OLD_FIRST_INO, "first inode" },
		{ 0x058, 2, EXT4_INODE_SIZE, "inode size" },
		{ 0x0E0, 4, EXT4_JOURNAL_INO, "journal inode" },
		{ 0x0FE, 2, EXT4_DESC_SIZE, "size of group descriptors" },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		uint32_t value = fields[i].size == 2 ? get_le16(super + fields[i].offset)
						     : get_le32(super + fields[i].offset);

		if (value != fields[i].value)
			return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
					 "the filesystem's %s (field value %" PRIu32
					 ") is not one that is supported",
					 fields[i].what, value);
	}
	return 0;
}

int ext4_existing_check(const uint8_t super[EXT4_SUPER_SIZE], struct mkrootfs_error *error)
{
	if (check_identity(super, error) < 0 || check_features(super, error) < 0 ||
	    check_sum(super, error) < 0 || check_constants(super, error) < 0)
		return error->status;
	return check_state(super, error);
}
