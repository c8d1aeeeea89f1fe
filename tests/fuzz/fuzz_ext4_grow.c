/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A filesystem of ours with damage, made larger. Input: records of a place (1 byte), an offset
 * there (2 bytes, little-endian) and 4 bytes to write. The superblock's checksum is made right
 * again, so that what is behind it is reached.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "ext4/grow.h"
#include "ext4/writer.h"

#define RECORD 7
#define SIZE (UINT64_C(12) << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Blocks that growing reads; the first of the journal is behind the directories. */
static const uint64_t places[] = { 0, 1, 2, 3, 4, 5, 6, 50, 51, 52, 53, 54, 55, 56, 57, 58 };

static void make(int fd)
{
	const struct ext4_options options = { .size = SIZE, .uuid = { 1 }, .max_size = SIZE << 11 };
	struct mkrootfs_error error;
	struct image_file *file;

	if (image_file_borrow(&file, fd, &error) < 0 ||
	    ext4_write_upper(file, &options, &error) < 0 ||
	    image_file_commit(file, NULL, IMAGE_FILE_NO_SYNC, &error) < 0)
		abort();
	image_file_close(file);
}

static void damage(int fd, const uint8_t *data, size_t size)
{
	uint8_t super[EXT4_SUPER_SIZE];

	for (; size >= RECORD; data += RECORD, size -= RECORD) {
		uint64_t block = places[data[0] % (sizeof(places) / sizeof(*places))];
		uint64_t offset = block * EXT4_BLOCK_SIZE + get_le16(data + 1) % EXT4_BLOCK_SIZE;

		if (pwrite(fd, data + 3, 4, (off_t)offset) != 4)
			abort();
	}
	if (pread(fd, super, sizeof(super), EXT4_SUPER_OFFSET) != sizeof(super))
		abort();
	put_le32(super + 0x3FC, crc32c(UINT32_MAX, super, 0x3FC));
	if (pwrite(fd, super, sizeof(super), EXT4_SUPER_OFFSET) != sizeof(super))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("ext4", MFD_CLOEXEC);
	struct ext4_disk disk = { .fd = fd };
	struct ext4_grown grown;
	struct mkrootfs_error error;

	if (fd < 0)
		abort();
	make(fd);
	damage(fd, data, size);
	if (ext4_grow(&disk, &grown, size % 3 ? SIZE * 40 : SIZE << 12, &error) == 0 &&
	    grown.after < grown.before)
		abort();
	close(fd);
	return 0;
}
