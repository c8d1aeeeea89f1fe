/* SPDX-License-Identifier: Apache-2.0 */
#include "range_copy.h"

#include "file_range.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#endif

#define BUFFER_SIZE (256u << 10)    /* stays in the cache between reading and writing */
#define KERNEL_COPY_MAX (64u << 20) /* bytes a call: it cannot be interrupted */

/* ---- Reflink ---- */

/* 0, or -1: not like this. Who refuses says so before it did anything. */
static int reflink(struct range_copy *copy, int to, uint64_t to_offset, int from,
		   uint64_t from_offset, uint64_t len)
{
#ifdef FICLONERANGE
	struct file_clone_range range = { .src_fd = from,
					  .src_offset = from_offset,
					  .src_length = len,
					  .dest_offset = to_offset };

	if (copy->no_reflink)
		return -1;
	if (ioctl(to, FICLONERANGE, &range) == 0)
		return 0;
	copy->no_reflink = errno != EINVAL; /* that is said of what is not aligned */
#else
	(void)to, (void)to_offset, (void)from, (void)from_offset, (void)len;
	copy->no_reflink = true;
#endif
	return -1;
}

/* ---- Copies ---- */

/* Bytes that were copied; what is left has to be copied by hand. */
static uint64_t kernel_copy(struct range_copy *copy, int to, uint64_t to_offset, int from,
			    uint64_t from_offset, uint64_t len)
{
	off_t in = (off_t)from_offset, out = (off_t)to_offset;

	while (!copy->no_kernel_copy && len > 0) {
		size_t part = len < KERNEL_COPY_MAX ? (size_t)len : KERNEL_COPY_MAX;
		ssize_t n = copy_file_range(from, &in, to, &out, part, 0);

		if (n < 0 && errno == EINTR)
			continue;
		/* Other kernels have other reasons; what is really wrong, write says too. */
		copy->no_kernel_copy = n <= 0;
		if (n > 0)
			len -= (uint64_t)n;
	}
	return (uint64_t)in - from_offset;
}

static int copy_by_hand(struct range_copy *copy, int to, uint64_t to_offset, int from,
			uint64_t from_offset, uint64_t len)
{
	if (!copy->buffer)
		copy->buffer = malloc(BUFFER_SIZE);
	if (!copy->buffer)
		return -1;
	while (len > 0) {
		size_t part = len < BUFFER_SIZE ? (size_t)len : BUFFER_SIZE, got;

		copy->read_failed = true;
		if (file_range_read(from, from_offset, copy->buffer, part, &got) < 0)
			return -1;
		copy->read_failed = false;
		if (file_range_write(to, to_offset, copy->buffer, part) < 0)
			return -1;
		from_offset += part;
		to_offset += part;
		len -= part;
	}
	return 0;
}

static int copy_data(struct range_copy *copy, int to, uint64_t to_offset, int from,
		     uint64_t from_offset, uint64_t len)
{
	uint64_t done = kernel_copy(copy, to, to_offset, from, from_offset, len);

	return copy_by_hand(copy, to, to_offset + done, from, from_offset + done, len - done);
}

/* ---- Holes ---- */

/* Bytes of the hole at offset, at most len; *data: those behind it before the next one. */
static uint64_t measure_hole(uint64_t *data, int fd, uint64_t offset, uint64_t len)
{
	off_t start = lseek(fd, (off_t)offset, SEEK_DATA), end;

	*data = 0;
	if (start < 0)
		start = errno == ENXIO ? (off_t)(offset + len) : (off_t)offset;
	if ((uint64_t)start >= offset + len)
		return len;
	end = lseek(fd, start, SEEK_HOLE);
	if (end <= start || (uint64_t)end > offset + len)
		end = (off_t)(offset + len);
	*data = (uint64_t)(end - start);
	return (uint64_t)start - offset;
}

int range_copy(struct range_copy *copy, int to, uint64_t to_offset, int from, uint64_t from_offset,
	       uint64_t len)
{
	off_t size;

	copy->read_failed = true;
	size = lseek(from, 0, SEEK_END);
	if (size < 0)
		return -1;
	errno = EIO;
	if (from_offset > (uint64_t)size || len > (uint64_t)size - from_offset)
		return -1;
	copy->read_failed = false;
	if (len == 0 || reflink(copy, to, to_offset, from, from_offset, len) == 0)
		return 0;
	for (uint64_t at = 0, data; at < len; at += data) {
		at += measure_hole(&data, from, from_offset + at, len - at);
		if (copy_data(copy, to, to_offset + at, from, from_offset + at, data) < 0)
			return -1;
	}
	return 0;
}

void range_copy_free(struct range_copy *copy)
{
	free(copy->buffer);
	*copy = (struct range_copy){ 0 };
}
