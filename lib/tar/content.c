/* SPDX-License-Identifier: Apache-2.0 */
#include "content.h"

#include <inttypes.h>

void tar_content_begin(struct tar_content *content, const struct tar_range *ranges, size_t count,
		       uint64_t stored_size)
{
	*content = (struct tar_content){
		.ranges = ranges,
		.count = count,
		.size = stored_size,
		.left = stored_size,
	};
}

static int ends_inside(const struct tar_content *content, struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "the archive ends inside its content: %" PRIu64 " of %" PRIu64
			 " bytes are missing",
			 content->left, content->size);
}

static void advance(struct tar_content *content, size_t len)
{
	content->left -= len;
	content->done += len;
	if (content->done < content->ranges->len)
		return;
	content->ranges++;
	content->count--;
	content->done = 0;
}

int tar_content_next(struct tar_content *content, struct tar_input *input, struct tar_data *data,
		     struct mkrootfs_error *error)
{
	const struct tar_range *range = content->ranges;
	int status;

	*data = (struct tar_data){ NULL, 0, 0 };
	if (content->count == 0)
		return 0;
	status = tar_input_take(&data->data, &data->len, input, range->len - content->done, error);
	if (status < 0)
		return status;
	if (data->len == 0)
		return ends_inside(content, error);
	data->offset = range->offset + content->done;
	advance(content, data->len);
	return 0;
}

int tar_content_finish(struct tar_content *content, struct tar_input *input,
		       struct mkrootfs_error *error)
{
	uint64_t padding = -content->size % TAR_BLOCK_SIZE, left;
	int status;

	if (content->size == 0)
		return 0;
	status = tar_input_skip(&left, input, content->left + padding, error);
	if (status < 0)
		return status;
	content->left = left > padding ? left - padding : 0;
	if (content->left > 0)
		return ends_inside(content, error);
	*content = (struct tar_content){ 0 };
	return 0;
}
