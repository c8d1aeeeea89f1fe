/* SPDX-License-Identifier: Apache-2.0 */
#include "file_range.h"
#include "source.h"

#include <errno.h>
#include <stdlib.h>

#define RANGE_CHUNK (256u << 10) /* bytes of one read at most */
#define RANGE_FIRST (4u << 10)	 /* bytes of the first read, and of the first behind a skip */

struct range_source {
	struct source source;
	int fd; /* borrowed */
	uint64_t offset;
	uint64_t left;
	size_t want; /* bytes of the next read: doubled by each, since who skips wants little */
	uint8_t chunk[RANGE_CHUNK];
};

static int range_next(struct source *source, const uint8_t **data, size_t *len,
		      struct mkrootfs_error *error)
{
	struct range_source *range = (struct range_source *)source;
	size_t want = range->left < range->want ? (size_t)range->left : range->want, got;

	if (want > 0 && file_range_read(range->fd, range->offset, range->chunk, want, &got) < 0)
		return errno == EIO && got < want ? error_set(error, MKROOTFS_ERROR_MALFORMED,
							      "the file is shorter than it was")
						  : error_set_errno(error, errno, "read the file");
	range->offset += want;
	range->left -= want;
	range->want = range->want < RANGE_CHUNK ? range->want * 2 : RANGE_CHUNK;
	*data = range->chunk;
	*len = want;
	return 0;
}

static uint64_t range_skip(struct source *source, uint64_t len)
{
	struct range_source *range = (struct range_source *)source;

	if (len > range->left)
		len = range->left;
	range->offset += len;
	range->left -= len;
	range->want = RANGE_FIRST;
	return len;
}

static void range_close(struct source *source)
{
	free(source);
}

static const struct source_ops range_ops = { .next = range_next,
					     .close = range_close,
					     .skip = range_skip };

int source_range(struct source **out, int fd, uint64_t offset, uint64_t len,
		 struct mkrootfs_error *error)
{
	struct range_source *range = malloc(sizeof(*range));

	*out = NULL;
	if (!range)
		return error_no_memory(error);
	source_init(&range->source, &range_ops);
	range->fd = fd;
	range->offset = offset;
	range->left = len;
	range->want = RANGE_FIRST;
	*out = &range->source;
	return 0;
}
