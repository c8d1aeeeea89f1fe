/* SPDX-License-Identifier: Apache-2.0 */
#include "image_sink.h"

static int write_behind(struct sink *sink, const void *data, size_t len,
			struct mkrootfs_error *error)
{
	struct image_sink *out = (struct image_sink *)sink;
	int status = image_file_write(out->file, out->end, data, len, error);

	out->end += len;
	return status;
}

void image_sink(struct image_sink *out, struct image_file *file)
{
	*out = (struct image_sink){ .sink = { write_behind }, .file = file };
}
