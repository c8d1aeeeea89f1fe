/* SPDX-License-Identifier: Apache-2.0 */
#include "extents.h"

#include "../base/array.h"
#include "../base/checked.h"
#include "file_range.h"
#include "regular_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct extent {
	int fd;
	char *path;
	uint64_t start; /* byte of the whole */
	uint64_t size;
};

struct extents {
	struct extent *list;
	size_t count, room;
	uint64_t size;
};

int extents_create(struct extents **out, struct mkrootfs_error *error)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : error_no_memory(error);
}

void extents_close(struct extents *extents)
{
	if (!extents)
		return;
	for (size_t i = 0; i < extents->count; i++) {
		close(extents->list[i].fd);
		free(extents->list[i].path);
	}
	free(extents->list);
	free(extents);
}

/* From the whole size of a file to the part of it that was asked for. */
static int measure(struct extent *extent, const char *path, uint64_t size,
		   struct mkrootfs_error *error)
{
	off_t end = lseek(extent->fd, 0, SEEK_END);

	if (end < 0)
		return error_set_errno(error, errno, "size of '%s'", path);
	extent->size = size == EXTENTS_WHOLE ? (uint64_t)end : size;
	if (extent->size > (uint64_t)end)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "'%s' has %llu bytes where %llu must be", path,
				 (unsigned long long)end, (unsigned long long)extent->size);
	return 0;
}

static int open_extent(struct extent *extent, const struct extents *extents, const char *path,
		       uint64_t size, struct mkrootfs_error *error)
{
	uint64_t sum;
	int status = regular_file_open(&extent->fd, path, error);

	extent->path = NULL;
	extent->start = extents->size;
	if (status == 0)
		status = measure(extent, path, size, error);
	if (status == 0 && (!checked_add_u64(&sum, extents->size, extent->size) || sum > INT64_MAX))
		status = error_set(error, MKROOTFS_ERROR_MALFORMED, "the disk is too large");
	if (status == 0) {
		extent->path = strdup(path);
		status = extent->path ? 0 : error_no_memory(error);
	}
	if (status < 0 && extent->fd >= 0)
		close(extent->fd);
	return status;
}

int extents_add(struct extents *extents, const char *path, uint64_t size,
		struct mkrootfs_error *error)
{
	struct extent extent;
	int status = array_reserve(&extents->list, &extents->room, extents->count,
				   sizeof(*extents->list), error);

	if (status == 0)
		status = open_extent(&extent, extents, path, size, error);
	if (status < 0)
		return status;
	extents->list[extents->count++] = extent;
	extents->size += extent.size;
	return 0;
}

uint64_t extents_size(const struct extents *extents)
{
	return extents->size;
}

size_t extents_count(const struct extents *extents)
{
	return extents->count;
}

const char *extents_path(const struct extents *extents, size_t index)
{
	return index < extents->count ? extents->list[index].path : "";
}

/* The last extent that starts at or before offset: an empty one has a successor that does too. */
static size_t index_at(const struct extents *extents, uint64_t offset)
{
	size_t low = 0, high = extents->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (extents->list[middle].start <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

bool extents_find(struct extent_place *place, const struct extents *extents, uint64_t offset)
{
	size_t index;
	const struct extent *extent;

	*place = (struct extent_place){ .fd = -1 };
	if (offset >= extents->size)
		return false;
	index = index_at(extents, offset);
	extent = &extents->list[index];
	*place = (struct extent_place){ .fd = extent->fd,
					.path = extent->path,
					.index = index,
					.offset = offset - extent->start,
					.left = extent->start + extent->size - offset };
	return true;
}

static int read_part(const struct extent_place *place, void *out, size_t len,
		     struct mkrootfs_error *error)
{
	size_t got;

	if (file_range_read(place->fd, place->offset, out, len, &got) == 0)
		return 0;
	if (errno == EIO && lseek(place->fd, 0, SEEK_END) < (off_t)(place->offset + len))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "'%s' became shorter while it was read", place->path);
	return error_set_errno(error, errno, "read '%s'", place->path);
}

int extents_read(const struct extents *extents, uint64_t offset, void *out, size_t len,
		 struct mkrootfs_error *error)
{
	uint8_t *to = out;

	if (offset > extents->size || len > extents->size - offset)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "'%s': something points past the end", extents_path(extents, 0));
	while (len > 0) {
		struct extent_place place;
		size_t part;
		int status;

		extents_find(&place, extents, offset);
		part = len < place.left ? len : (size_t)place.left;
		status = read_part(&place, to, part, error);
		if (status < 0)
			return status;
		to += part;
		offset += part;
		len -= part;
	}
	return 0;
}
