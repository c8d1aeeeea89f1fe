/* SPDX-License-Identifier: Apache-2.0 */
#include "file_range.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/falloc.h>
#endif

#define TRANSFER_MAX (1u << 30) /* bytes of one call, below every system's limit */
#define ZERO_ALIGNMENT 4096u	/* bytes; no logical block of a device is larger */

static size_t transfer(size_t len)
{
	return len < TRANSFER_MAX ? len : TRANSFER_MAX;
}

int file_range_write(int fd, uint64_t offset, const void *data, size_t len)
{
	const uint8_t *at = data;

	while (len > 0) {
		ssize_t count = pwrite(fd, at, transfer(len), (off_t)offset);

		if (count < 0 && errno == EINTR)
			continue;
		if (count == 0)
			errno = EIO; /* else a file that takes nothing would hold us for ever */
		if (count <= 0)
			return -1;
		at += count;
		offset += (uint64_t)count;
		len -= (size_t)count;
	}
	return 0;
}

int file_range_read(int fd, uint64_t offset, void *data, size_t len, size_t *got)
{
	uint8_t *at = data;

	*got = 0;
	while (*got < len) {
		ssize_t count = pread(fd, at + *got, transfer(len - *got), (off_t)(offset + *got));

		if (count < 0 && errno == EINTR)
			continue;
		if (count == 0)
			errno = EIO;
		if (count <= 0)
			return -1;
		*got += (size_t)count;
	}
	return 0;
}

static int write_zeros(int fd, uint64_t offset, uint64_t len)
{
	static const uint8_t zeros[64 << 10];

	while (len > 0) {
		size_t count = len < sizeof(zeros) ? (size_t)len : sizeof(zeros);

		if (file_range_write(fd, offset, zeros, count) < 0)
			return -1;
		offset += count;
		len -= count;
	}
	return 0;
}

/* By the device itself; false where it cannot. Ends that are not aligned are not its business. */
static int zero_by_device(int fd, uint64_t offset, uint64_t len)
{
#if defined(__linux__)
	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)len) ==
	    0)
		return 0;
	return fallocate(fd, FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)len);
#else
	(void)fd;
	(void)offset;
	(void)len;
	errno = EOPNOTSUPP;
	return -1;
#endif
}

int file_range_zero(int fd, uint64_t offset, uint64_t len)
{
	uint64_t before = -offset % ZERO_ALIGNMENT, body;

	if (len <= before)
		return write_zeros(fd, offset, len);
	body = (len - before) / ZERO_ALIGNMENT * ZERO_ALIGNMENT;
	if (write_zeros(fd, offset, before) < 0)
		return -1;
	if (body > 0 && zero_by_device(fd, offset + before, body) < 0 &&
	    write_zeros(fd, offset + before, body) < 0)
		return -1;
	return write_zeros(fd, offset + before + body, len - before - body);
}
