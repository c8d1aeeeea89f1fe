/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All of a filesystem but its content: superblocks, group descriptors, bitmaps, the journal, the
 * resize inode's blocks; and those reserved inodes that are in use.
 *
 *	struct ext4_frame frame = { .file = file, .layout = &layout, .options = &options, ... };
 *
 *	... write the content, and the inodes: frame_inode(out, &frame, 8) for reserved ones ...
 *	ext4_frame_write(&frame, error);		once, at the end
 *
 * Inodes are in use from the first on without a gap. Content is what ext4_space_take gave away.
 */
#ifndef MKROOTFS_EXT4_FRAME_H
#define MKROOTFS_EXT4_FRAME_H

#include "../io/image_file.h"
#include "layout.h"

struct ext4_frame {
	struct image_file *file;
	const struct ext4_layout *layout;
	const struct ext4_options *options;
	uint32_t seed;		     /* ext4_checksum_seed */
	uint32_t inodes;	     /* in use, the reserved ones included */
	uint64_t content_end;	     /* ext4_space_take came so far */
	const uint32_t *directories; /* of each group that has inodes in use */
};

/* s_hash_seed: from the UUID, so that it needs neither randomness nor an option of its own. */
void ext4_hash_seed(uint8_t seed[16], const uint8_t uuid[16]);

/* A group with what is in use of it; the checksums are zero. */
void ext4_frame_group(struct ext4_group *out, const struct ext4_frame *frame, uint32_t group);
/* A reserved inode but for the root: zeros, unless it is in use. */
void ext4_frame_inode(uint8_t out[EXT4_INODE_SIZE], const struct ext4_frame *frame,
		      uint32_t number);
int ext4_frame_write(const struct ext4_frame *frame, struct mkrootfs_error *error);

#endif
