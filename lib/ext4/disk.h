/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An existing ext4 image that is changed in place, by whole blocks.
 *
 *	struct ext4_disk disk = { .fd = fd };
 *	ext4_disk_read(&disk, block, data, count, error);
 *	ext4_disk_write(&disk, block, data, count, error);
 *	ext4_disk_sync(&disk, error);
 */
#ifndef MKROOTFS_EXT4_DISK_H
#define MKROOTFS_EXT4_DISK_H

#include "../base/error.h"
#include "format.h"

#include <stddef.h>

struct ext4_disk {
	int fd; /* of a regular file, open for reading and writing; the caller's */
	/* Told of each write before it is done; NULL: nobody is. */
	void (*watch)(void *user, uint64_t offset, const void *data, size_t len);
	void *user;
};

int ext4_disk_read(const struct ext4_disk *disk, uint64_t block, void *data, uint32_t count,
		   struct mkrootfs_error *error);
int ext4_disk_write(const struct ext4_disk *disk, uint64_t block, const void *data, uint32_t count,
		    struct mkrootfs_error *error);
/* Only the superblock, which is half of the first two KiB. */
int ext4_disk_write_super(const struct ext4_disk *disk, const uint8_t super[EXT4_SUPER_SIZE],
			  struct mkrootfs_error *error);
int ext4_disk_sync(const struct ext4_disk *disk, struct mkrootfs_error *error);

#endif
