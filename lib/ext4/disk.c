/* SPDX-License-Identifier: Apache-2.0 */
#include "disk.h"

#include "../io/file_range.h"
#include "../io/file_sync.h"

#include <errno.h>
#include <inttypes.h>

int ext4_disk_read(const struct ext4_disk *disk, uint64_t block, void *data, uint32_t count,
		   struct mkrootfs_error *error)
{
	size_t got;

	if (file_range_read(disk->fd, block * EXT4_BLOCK_SIZE, data,
			    (size_t)count * EXT4_BLOCK_SIZE, &got) == 0)
		return 0;
	return error_set_errno(error, errno, "read block %" PRIu64, block);
}

static int write_bytes(const struct ext4_disk *disk, uint64_t offset, const void *data, size_t len,
		       struct mkrootfs_error *error)
{
	if (disk->watch)
		disk->watch(disk->user, offset, data, len);
	if (file_range_write(disk->fd, offset, data, len) == 0)
		return 0;
	return error_set_errno(error, errno, "write %zu bytes at offset %" PRIu64, len, offset);
}

int ext4_disk_write(const struct ext4_disk *disk, uint64_t block, const void *data, uint32_t count,
		    struct mkrootfs_error *error)
{
	return write_bytes(disk, block * EXT4_BLOCK_SIZE, data, (size_t)count * EXT4_BLOCK_SIZE,
			   error);
}

int ext4_disk_write_super(const struct ext4_disk *disk, const uint8_t super[EXT4_SUPER_SIZE],
			  struct mkrootfs_error *error)
{
	return write_bytes(disk, EXT4_SUPER_OFFSET, super, EXT4_SUPER_SIZE, error);
}

int ext4_disk_sync(const struct ext4_disk *disk, struct mkrootfs_error *error)
{
	return file_sync(disk->fd) == 0 ? 0 : error_set_errno(error, errno, "sync");
}
