/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* A small cache: metadata is read in pieces of some bytes, mostly from neighbouring places. */
#define WINDOW_SIZE 16384u
#define WINDOWS 64u

struct window {
	uint64_t number; /* offset / WINDOW_SIZE, plus one; 0: empty */
	uint8_t *bytes;
};

struct erofs_reader {
	struct extents *extents;
	uint64_t size;
	struct erofs_superblock sb;
	struct window windows[WINDOWS];
};

/* What messages call the image: its only file, or the first one. */
static const char *name_of(const struct erofs_reader *reader)
{
	return extents_path(reader->extents, 0);
}

static int load(struct erofs_reader *reader, const uint8_t **out, uint64_t number,
		struct mkrootfs_error *error)
{
	struct window *window = &reader->windows[number % WINDOWS];
	uint64_t start = number * WINDOW_SIZE, left = reader->size - start;
	int status;

	*out = window->bytes;
	if (window->number == number + 1)
		return 0;
	window->number = 0;
	if (!window->bytes)
		window->bytes = malloc(WINDOW_SIZE);
	if (!window->bytes)
		return error_no_memory(error);
	status = extents_read(reader->extents, start, window->bytes,
			      left < WINDOW_SIZE ? (size_t)left : WINDOW_SIZE, error);
	if (status == 0)
		window->number = number + 1;
	*out = window->bytes;
	return status;
}

int erofs_reader_read(struct erofs_reader *reader, uint64_t offset, void *out, size_t len,
		      struct mkrootfs_error *error)
{
	uint8_t *to = out;

	if (offset > reader->size || len > reader->size - offset)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "'%s': something points past the image's end", name_of(reader));
	while (len > 0) {
		size_t within = (size_t)(offset % WINDOW_SIZE);
		size_t part = len < WINDOW_SIZE - within ? len : WINDOW_SIZE - within;
		const uint8_t *bytes;
		int status = load(reader, &bytes, offset / WINDOW_SIZE, error);

		if (status < 0)
			return status;
		memcpy(to, bytes + within, part);
		to += part;
		offset += part;
		len -= part;
	}
	return 0;
}

int erofs_reader_lend(struct erofs_reader *reader, const uint8_t **out, uint64_t offset, size_t len,
		      uint8_t *spare, struct mkrootfs_error *error)
{
	size_t within = (size_t)(offset % WINDOW_SIZE);
	int status;

	*out = spare;
	if (offset > reader->size || len > reader->size - offset || len > WINDOW_SIZE - within)
		return erofs_reader_read(reader, offset, spare, len, error);
	status = load(reader, out, offset / WINDOW_SIZE, error);
	*out += within;
	return status;
}

/* Past the windows: most images are opened to look at their superblock and no more. */
static int read_superblock(struct erofs_reader *reader, struct mkrootfs_error *error)
{
	uint8_t block[EROFS_BLOCK_SIZE];
	int status = 0;

	if (reader->size < sizeof(block))
		status = error_set(error, MKROOTFS_ERROR_MALFORMED, "too short for an image");
	if (status == 0)
		status = extents_read(reader->extents, 0, block, sizeof(block), error);
	if (status == 0)
		status = erofs_superblock_decode(&reader->sb, block, error);
	return status < 0 ? error_prefix(error, "'%s': ", name_of(reader)) : 0;
}

int erofs_reader_open_extents(struct erofs_reader **out, struct extents *extents,
			      struct mkrootfs_error *error)
{
	struct erofs_reader *reader = calloc(1, sizeof(*reader));
	int status;

	*out = NULL;
	if (!reader)
		return error_no_memory(error);
	reader->extents = extents;
	reader->size = extents_size(extents);
	status = read_superblock(reader, error);
	if (status < 0) {
		reader->extents = NULL;
		erofs_reader_close(reader);
		return status;
	}
	*out = reader;
	return 0;
}

int erofs_reader_open(struct erofs_reader **out, const char *path, struct mkrootfs_error *error)
{
	struct extents *extents;
	int status = extents_create(&extents, error);

	*out = NULL;
	if (status == 0)
		status = extents_add(extents, path, EXTENTS_WHOLE, error);
	if (status == 0)
		status = erofs_reader_open_extents(out, extents, error);
	if (status < 0)
		extents_close(extents);
	return status;
}

void erofs_reader_close(struct erofs_reader *reader)
{
	if (!reader)
		return;
	for (uint32_t i = 0; i < WINDOWS; i++)
		free(reader->windows[i].bytes);
	extents_close(reader->extents);
	free(reader);
}

const struct erofs_superblock *erofs_reader_superblock(const struct erofs_reader *reader)
{
	return &reader->sb;
}

uint64_t erofs_reader_size(const struct erofs_reader *reader)
{
	return reader->size;
}

const struct extents *erofs_reader_extents(const struct erofs_reader *reader)
{
	return reader->extents;
}
