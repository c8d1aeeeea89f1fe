/* SPDX-License-Identifier: Apache-2.0 */
#include "feature_names.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const names[3][32] = {
	[EXT4_COMPAT] = { "dir_prealloc", "imagic_inodes", "has_journal", "ext_attr",
			  "resize_inode", "dir_index", [9] = "sparse_super2", "fast_commit",
			  "stable_inodes", "orphan_file" },
	[EXT4_INCOMPAT] = { "compression", "filetype", "needs_recovery", "journal_dev",
			    "meta_bg", [6] = "extent", "64bit", "mmp", "flex_bg",
			    "ea_inode", [12] = "dirdata", "metadata_csum_seed", "large_dir",
			    "inline_data", "encrypt", "casefold" },
	[EXT4_RO_COMPAT] = { "sparse_super", "large_file", "btree_dir", "huge_file", "uninit_bg",
			     "dir_nlink", "extra_isize", "has_snapshot", "quota", "bigalloc",
			     "metadata_csum", "replica", "read-only", "project", "shared_blocks",
			     "verity", "orphan_present" },
};

const char *ext4_feature_name(char text[32], enum ext4_feature_set set, uint32_t bits)
{
	uint32_t lowest = bits & -bits;
	int bit = __builtin_ctz(bits | UINT32_C(1) << 31);

	if (bits && names[set][bit])
		return names[set][bit];
	snprintf(text, 32, "unknown 0x%" PRIx32, lowest);
	return text;
}
