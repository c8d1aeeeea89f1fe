/* SPDX-License-Identifier: Apache-2.0 */
#include "metadata_output.h"

#include <stdlib.h>
#include <string.h>

#define PIECE (16u << 10) /* bytes of a write to the file, which collects them further */

int metadata_flush(struct metadata_output *out, struct mkrootfs_error *error)
{
	uint64_t offset = out->base + out->at - out->pending_len;
	int status;

	if (out->pending_len == 0)
		return 0;
	status = image_file_write(out->file, offset, out->pending, out->pending_len, error);
	xxh3_update(out->hash, out->pending, out->pending_len);
	memset(out->pending, 0, out->pending_len);
	out->pending_len = 0;
	return status;
}

int metadata_make_room(struct metadata_output *out, size_t len, struct mkrootfs_error *error)
{
	int status = metadata_flush(out, error);

	if (status < 0 || len <= out->pending_room)
		return status;
	free(out->pending);
	out->pending_room = len > PIECE ? len : PIECE;
	out->pending = calloc(1, out->pending_room);
	return out->pending ? 0 : error_no_memory(error);
}

int metadata_put(struct metadata_output *out, const void *data, size_t len,
		 struct mkrootfs_error *error)
{
	uint8_t *bytes;
	int status = metadata_lend(out, &bytes, out->at, len, error);

	if (status == 0)
		memcpy(bytes, data, len);
	return status;
}

int metadata_pad(struct metadata_output *out, uint64_t offset, struct mkrootfs_error *error)
{
	uint8_t *bytes;

	return metadata_lend(out, &bytes, offset, 0, error);
}

void metadata_free(struct metadata_output *out)
{
	free(out->pending);
	free(out->with_blocks);
	xxh3_free(out->hash);
}
