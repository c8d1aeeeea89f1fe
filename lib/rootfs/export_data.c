/* SPDX-License-Identifier: Apache-2.0 */
#include "export_data.h"

#include "../base/array.h"
#include "../base/checked.h"
#include "../erofs/format.h"
#include "../tree/chunk_map.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW_SIZE (1u << 20)		  /* bytes read at once of a large file */
#define WINDOW_LEAST (128u << 10)	  /* bytes read at once however small the file is */
#define LONG_RUN (16u * EROFS_BLOCK_SIZE) /* bytes of zeros that are worth a range of their own */
#define MANY_RANGES 65536u		  /* from there on chunks are not parted */

int export_data_init(struct export_data *data, const struct tree *tree, const struct extents *image,
		     struct events *events, struct mkrootfs_error *error)
{
	*data = (struct export_data){ .tree = tree, .image = image, .events = events };
	data->window = malloc(WINDOW_SIZE);
	return data->window ? 0 : error_no_memory(error);
}

void export_data_free(struct export_data *data)
{
	free(data->window);
	free(data->ranges);
	free(data->addresses);
}

/* ---- Reading ---- */

static int fill_window(struct export_data *data, uint64_t address, uint64_t wanted,
		       struct mkrootfs_error *error)
{
	uint64_t size = extents_size(data->image);
	uint64_t left = address < size ? size - address : 0;
	uint64_t len =
		wanted > WINDOW_LEAST ? round_up_u64(wanted, EROFS_BLOCK_SIZE) : WINDOW_LEAST;

	if (len > WINDOW_SIZE)
		len = WINDOW_SIZE;
	if (len > left)
		len = left > 0 ? left : 1; /* past the end: let the image say so */
	data->window_len = 0;
	if (extents_read(data->image, address, data->window, (size_t)len, error) < 0)
		return error->status;
	data->window_start = address;
	data->window_len = (size_t)len;
	return 0;
}

/* Lends at least 1 and at most wanted bytes of the image, until the next call. */
static int lend(struct export_data *data, const uint8_t **bytes, size_t *len, uint64_t address,
		uint64_t wanted, struct mkrootfs_error *error)
{
	uint64_t within = address - data->window_start;

	if (address < data->window_start || within >= data->window_len) {
		int status = fill_window(data, address, wanted, error);

		if (status < 0)
			return status;
		within = 0;
	}
	*bytes = data->window + within;
	*len = data->window_len - (size_t)within;
	if (*len > wanted)
		*len = (size_t)wanted;
	return 0;
}

static int copy_bytes(struct export_data *data, struct tar_writer *writer, uint64_t address,
		      uint64_t left, struct mkrootfs_error *error)
{
	int status = 0;

	while (status == 0 && left > 0) {
		const uint8_t *bytes;
		size_t len;

		status = lend(data, &bytes, &len, address, left, error);
		if (status == 0)
			status = tar_writer_data(writer, bytes, len, error);
		if (status < 0)
			break;
		address += len;
		left -= len;
		data->done += len;
		if (len >= WINDOW_LEAST)
			status = events_report(data->events, MKROOTFS_EVENT_EXPORT_PROGRESS,
					       data->done, error);
	}
	return status;
}

int export_data_copy(struct export_data *data, struct tar_writer *writer,
		     const struct tree_inode *inode, struct mkrootfs_error *error)
{
	int status = 0;

	if (!(inode->flags & TREE_CHUNKED))
		return copy_bytes(data, writer, (uint64_t)inode->data << EROFS_BLOCK_BITS,
				  inode->size, error);
	for (size_t i = 0; status == 0 && i < data->count; i++)
		status = copy_bytes(data, writer, data->addresses[i], data->ranges[i].len, error);
	return status;
}

/* ---- Ranges ---- */

static int make_room(struct export_data *data, struct mkrootfs_error *error)
{
	size_t room = data->room;
	int status = array_reserve(&data->ranges, &room, data->count, sizeof(*data->ranges), error);

	return status < 0 ? status
			  : array_reserve(&data->addresses, &data->room, data->count,
					  sizeof(*data->addresses), error);
}

/* What goes on with the range before, in the file and in the image, makes that one longer. */
static int add_range(struct export_data *data, uint64_t offset, uint64_t address, uint64_t len,
		     struct mkrootfs_error *error)
{
	struct tar_range *last = data->count ? &data->ranges[data->count - 1] : NULL;
	int status;

	if (last && last->offset + last->len == offset &&
	    data->addresses[data->count - 1] + last->len == address) {
		last->len += len;
		return 0;
	}
	status = make_room(data, error);
	if (status < 0)
		return status;
	data->ranges[data->count] = (struct tar_range){ offset, len };
	data->addresses[data->count++] = address;
	return 0;
}

static bool is_zero(const uint8_t *bytes, size_t len)
{
	return bytes[0] == 0 && !memcmp(bytes, bytes + 1, len - 1);
}

/* Bytes of zero blocks, or of other ones, that a chunk has from at on. */
static int measure_run(struct export_data *data, uint64_t *run, bool *zero, uint64_t address,
		       uint64_t left, struct mkrootfs_error *error)
{
	*run = 0;
	while (*run < left) {
		uint64_t wanted = left - *run;
		const uint8_t *bytes;
		size_t len;
		bool this_zero;
		int status;

		if (wanted > EROFS_BLOCK_SIZE)
			wanted = EROFS_BLOCK_SIZE;
		status = lend(data, &bytes, &len, address + *run, left - *run, error);
		if (status < 0)
			return status;
		if (len > wanted)
			len = (size_t)wanted;
		this_zero = is_zero(bytes, len);
		if (*run == 0)
			*zero = this_zero;
		else if (this_zero != *zero)
			return 0;
		*run += len;
	}
	return 0;
}

/*
 * Parts a chunk at its long runs of zeros. One of nothing but zeros keeps its first block: it has
 * data, if only zeros, and not a hole.
 */
static int add_parts(struct export_data *data, uint64_t offset, uint64_t address, uint64_t len,
		     struct mkrootfs_error *error)
{
	uint64_t at = 0, run;
	size_t before = data->count;
	uint64_t covered = before ? data->ranges[before - 1].len : 0;
	int status = 0;

	while (status == 0 && at < len) {
		bool zero;

		status = measure_run(data, &run, &zero, address + at, len - at, error);
		if (status == 0 && !(zero && run >= LONG_RUN))
			status = add_range(data, offset + at, address + at, run, error);
		at += run;
	}
	if (status == 0 && data->count == before &&
	    (before == 0 || data->ranges[before - 1].len == covered))
		status = add_range(data, offset, address, EROFS_BLOCK_SIZE, error);
	return status;
}

int export_data_ranges(struct export_data *data, const struct tree_inode *inode,
		       struct mkrootfs_error *error)
{
	const struct chunk_map *map = chunk_map_of(data->tree, inode);
	uint64_t chunk_size = (uint64_t)EROFS_BLOCK_SIZE << map->block_bits;
	int status = 0;

	data->count = 0;
	for (uint32_t i = 0; status == 0 && i < map->count; i++) {
		uint64_t offset = i * chunk_size, left = inode->size - offset;
		uint64_t address = (uint64_t)map->address[i] << EROFS_BLOCK_BITS;
		uint64_t len = left < chunk_size ? left : chunk_size;

		if (map->address[i] == CHUNK_HOLE)
			continue;
		if (len < LONG_RUN + EROFS_BLOCK_SIZE || data->count >= MANY_RANGES)
			status = add_range(data, offset, address, len, error);
		else
			status = add_parts(data, offset, address, len, error);
	}
	return status;
}
