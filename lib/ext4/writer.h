/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the image of a writable disk for overlayfs: an ext4 filesystem with a journal that holds
 * lost+found, upper/ and work/, as sparse as the format allows.
 *
 *	struct ext4_options options = { .size = 10 << 30, .uuid = { ... }, .time = 0 };
 *
 *	image_file_create(&file, folder, error);
 *	ext4_write_upper(file, &options, error);
 *	image_file_commit(file, path, 0, error);
 *	image_file_close(file);
 *
 * The same options give the same bytes. What the image is like:
 *  - The file's size is options.size rounded down to whole 4 KiB blocks. As mke2fs does, the
 *    filesystem leaves out a last block group that is too small for metadata of its own (about 2
 *    MiB at most).
 *  - upper/ and work/ are 0755, owned by root. lost+found is beside them, not inside, so overlayfs
 *    does not show it.
 *  - All blocks may be used: none are kept back for root, which is what most guests run as, unless
 *    asked for.
 *  - Nothing is left to the guest's kernel to initialise: every inode table is marked as zeroed.
 *  - No resize_inode, so no reserve of blocks, unless a maximum size is given. Without it resize2fs
 *    grows the image offline, and online in a kernel that moves to meta_bg then (3.7 and later).
 */
#ifndef MKROOTFS_EXT4_WRITER_H
#define MKROOTFS_EXT4_WRITER_H

#include "../io/image_file.h"
#include "options.h"

/*
 * file must be fresh from image_file_create or image_file_borrow: what is not written has to read
 * as zeros. Committing it is left to the caller. Options without sense give MKROOTFS_ERROR_INVALID
 * before file is touched.
 */
int ext4_write_upper(struct image_file *file, const struct ext4_options *options,
		     struct mkrootfs_error *error);

#endif
