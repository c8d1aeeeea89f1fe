/* SPDX-License-Identifier: Apache-2.0 */
#include "upper_data.h"

#include "../base/array.h"
#include "../base/checked.h"
#include "../io/file_range.h"
#include "../io/regular_file.h"
#include "../io/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 4096u
#define END_MAX ((uint64_t)UINT32_MAX * BLOCK) /* bytes: more than a filesystem holds */

static int add(struct upper_data *data, uint32_t *block, char *path, uint64_t size,
	       struct mkrootfs_error *error)
{
	if (size > END_MAX - data->end)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more data than a filesystem holds");
	if (array_reserve(&data->pieces, &data->room, data->count, sizeof(*data->pieces), error) <
	    0)
		return error->status;
	data->pieces[data->count++] = (struct upper_piece){
		.address = data->end, .size = size, .offset = data->spool_end, .path = path
	};
	*block = (uint32_t)(data->end / BLOCK);
	data->end += round_up_u64(size, BLOCK);
	return 0;
}

int upper_data_add_file(struct upper_data *data, uint32_t *block, const char *path, uint64_t size,
			struct mkrootfs_error *error)
{
	char *copy = strdup(path);
	int status = copy ? add(data, block, copy, size, error) : error_no_memory(error);

	if (status < 0)
		free(copy);
	return status;
}

static int open_spool(struct upper_data *data, struct mkrootfs_error *error)
{
	struct temp_file temp;

	if (data->has_spool)
		return 0;
	if (temp_file_open(&temp, data->folder, false, error) < 0)
		return error->status;
	data->spool = fcntl(temp.fd, F_DUPFD_CLOEXEC, 3);
	data->has_spool = data->spool >= 0;
	if (!data->has_spool)
		error_set_errno(error, errno, "a temporary file in '%s'", data->folder);
	temp_file_close(&temp); /* its name goes, the file stays */
	return data->has_spool ? 0 : error->status;
}

int upper_data_begin(struct upper_data *data, uint32_t *block, struct mkrootfs_error *error)
{
	return open_spool(data, error) < 0 ? error->status : add(data, block, NULL, 0, error);
}

int upper_data_append(struct upper_data *data, uint64_t offset, const void *bytes, size_t len,
		      struct mkrootfs_error *error)
{
	if (file_range_write(data->spool, data->spool_end + offset, bytes, len) == 0)
		return 0;
	return error_set_errno(error, errno, "write to a temporary file in '%s'", data->folder);
}

/* The whole last block is there, zeros behind the file's end. */
int upper_data_end(struct upper_data *data, uint64_t size, struct mkrootfs_error *error)
{
	struct upper_piece *piece = &data->pieces[data->count - 1];

	if (size > END_MAX - data->end)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more data than a filesystem holds");
	piece->size = size;
	data->end += round_up_u64(size, BLOCK);
	data->spool_end += round_up_u64(size, BLOCK);
	if (ftruncate(data->spool, (off_t)data->spool_end) < 0)
		return error_set_errno(error, errno, "resize a temporary file in '%s'",
				       data->folder);
	return 0;
}

/* The piece that holds an address; they rise. Empty ones hold none. */
static size_t piece_at(const struct upper_data *data, uint64_t address)
{
	size_t low = 0, high = data->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (data->pieces[middle].address <= address)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void close_file(struct upper_data *data)
{
	if (data->has_fd)
		close(data->fd);
	data->has_fd = false;
}

static int open_file(struct upper_data *data, size_t index, struct mkrootfs_error *error)
{
	const struct upper_piece *piece = &data->pieces[index];
	struct stat st;

	if (data->has_fd && data->opened == index)
		return 0;
	close_file(data);
	if (regular_file_open(&data->fd, piece->path, error) < 0)
		return error->status;
	data->has_fd = true;
	data->opened = index;
	if (fstat(data->fd, &st) == 0 && (uint64_t)st.st_size == piece->size)
		return 0;
	return error_set(error, MKROOTFS_ERROR_IO, "'%s' changed while it was read", piece->path);
}

int upper_data_find(void *user, struct ext4_place *place, uint64_t address,
		    struct mkrootfs_error *error)
{
	struct upper_data *data = user;
	size_t index = piece_at(data, address);
	const struct upper_piece *piece = &data->pieces[index];
	uint64_t at = address - piece->address;

	if (data->count == 0 || at >= piece->size)
		return error_set(error, MKROOTFS_ERROR_INVALID, "no file has its data at %" PRIu64,
				 address);
	if (piece->path && open_file(data, index, error) < 0)
		return error->status;
	*place = (struct ext4_place){ .fd = piece->path ? data->fd : data->spool,
				      .offset = piece->path ? at : piece->offset + at,
				      .left = piece->size - at };
	return 0;
}

void upper_data_close(struct upper_data *data)
{
	for (size_t i = 0; i < data->count; i++)
		free(data->pieces[i].path);
	free(data->pieces);
	close_file(data);
	if (data->has_spool)
		close(data->spool);
	*data = (struct upper_data){ 0 };
}
