/* SPDX-License-Identifier: Apache-2.0 */
#include "data.h"

#include "../base/checked.h"
#include "data_state.h"

#include <stdlib.h>

#define READ_SIZE (64u << 10)

static const uint8_t zeros[EROFS_BLOCK_SIZE];

int erofs_data_create(struct erofs_data **out, struct image_file *file, struct tree *tree,
		      struct mkrootfs_error *error)
{
	struct erofs_data *data = calloc(1, sizeof(*data));
	int status;

	*out = NULL;
	if (!data)
		return error_no_memory(error);
	data->area.file = file;
	data->tree = tree;
	data->area.next_block = 1;
	data->contents = CONTENT_TABLE_INIT;
	status = xxh3_create(&data->hash, error);
	if (status < 0) {
		erofs_data_free(data);
		return status;
	}
	*out = data;
	return 0;
}

void erofs_data_free(struct erofs_data *data)
{
	if (!data)
		return;
	xxh3_free(data->hash);
	content_index_free(&data->index);
	content_table_free(&data->contents);
	free(data);
}

void erofs_data_finish(struct erofs_data *data)
{
	content_index_free(&data->index);
}

uint32_t erofs_data_end_block(const struct erofs_data *data)
{
	return (uint32_t)data->area.next_block;
}

const struct content_table *erofs_data_contents(const struct erofs_data *data)
{
	return &data->contents;
}

int erofs_data_begin(struct erofs_data *data, uint64_t size, bool sparse,
		     struct mkrootfs_error *error)
{
	data->size = size;
	data->start_block = data->area.next_block;
	data->map = 0;
	data->extents = content_table_count(&data->contents);
	if (size == 0)
		return 0;
	if (sparse)
		return data_begin_chunked(data, error);
	xxh3_reset(data->hash);
	return data_area_reserve(&data->area, data_blocks_of(size), error);
}

int erofs_data_append(struct erofs_data *data, uint64_t offset, const uint8_t *bytes, size_t len,
		      struct mkrootfs_error *error)
{
	uint64_t end;

	if (!checked_add_u64(&end, offset, len) || end > data->size)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "more data than the file's size");
	if (data->map)
		return data_append_chunked(data, offset, bytes, len, error);
	xxh3_update(data->hash, bytes, len);
	return data_area_write(&data->area, (data->start_block << EROFS_BLOCK_BITS) + offset, bytes,
			       len, error);
}

static int fill_last_block(struct erofs_data *data, struct mkrootfs_error *error)
{
	uint64_t end = (data->start_block << EROFS_BLOCK_BITS) + data->size;
	size_t len = (size_t)(round_up_u64(end, EROFS_BLOCK_SIZE) - end);

	xxh3_update(data->hash, zeros, len);
	return len ? data_area_write(&data->area, end, zeros, len, error) : 0;
}

/* Looks whether the content in place was stored before; then it is not stored again. */
static int keep_once(struct erofs_data *data, struct tree_inode *inode,
		     struct mkrootfs_error *error)
{
	uint32_t found;
	int status = content_index_find(&data->index, &found, &data->contents, data->area.file,
					xxh3_digest(data->hash), (uint32_t)data->start_block,
					data_blocks_of(data->size), error);
	if (status < 0)
		return status;
	if (found != data->start_block)
		data->area.next_block = data->start_block;
	inode->data = found;
	return 0;
}

static int end_flat(struct erofs_data *data, struct tree_inode *inode, struct mkrootfs_error *error)
{
	int status = fill_last_block(data, error);

	if (status == 0)
		status = data_area_cover(&data->area, error);
	return status < 0 ? status : keep_once(data, inode, error);
}

static int hash_stored(struct erofs_data *data, struct mkrootfs_error *error)
{
	uint64_t at = data->start_block << EROFS_BLOCK_BITS,
		 end = data->area.next_block << EROFS_BLOCK_BITS;
	uint8_t *bytes = malloc(READ_SIZE);
	int status = bytes ? 0 : error_no_memory(error);

	xxh3_reset(data->hash);
	while (status == 0 && at < end) {
		size_t len = end - at < READ_SIZE ? (size_t)(end - at) : READ_SIZE;

		status = image_file_read(data->area.file, at, bytes, len, error);
		xxh3_update(data->hash, bytes, len);
		at += len;
	}
	free(bytes);
	return status;
}

/*
 * No hole is as large as a chunk: chunks are given out in order, so the file is contiguous. It is
 * kept as one that came without holes, or the image would depend on how an archive put it.
 */
static int end_without_holes(struct erofs_data *data, struct tree_inode *inode,
			     struct mkrootfs_error *error)
{
	int status = data_area_cover(&data->area, error);

	content_table_cut(&data->contents, data->extents);
	if (status == 0)
		status = hash_stored(data, error);
	return status < 0 ? status : keep_once(data, inode, error);
}

static int end_chunked(struct erofs_data *data, struct tree_inode *inode,
		       struct mkrootfs_error *error)
{
	if (!data_has_holes(data))
		return end_without_holes(data, inode, error);
	inode->data = data->map;
	inode->flags |= TREE_CHUNKED;
	return gap_hasher_end(&data->gaps, data->area.next_block << EROFS_BLOCK_BITS, error);
}

int erofs_data_end(struct erofs_data *data, struct tree_inode *inode, struct mkrootfs_error *error)
{
	inode->size = data->size;
	inode->data = 0;
	inode->flags &= (uint16_t)~TREE_CHUNKED;
	if (data->size == 0)
		return 0;
	return data->map ? end_chunked(data, inode, error) : end_flat(data, inode, error);
}
