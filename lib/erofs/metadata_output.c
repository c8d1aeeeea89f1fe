/* SPDX-License-Identifier: Apache-2.0 */
#include "metadata_output.h"

#include <assert.h>

int metadata_put(struct metadata_output *out, const void *data, size_t len,
		 struct mkrootfs_error *error)
{
	int status = image_file_write(out->file, out->base + out->at, data, len, error);

	xxh3_update(out->hash, data, len);
	out->at += len;
	return status;
}

int metadata_pad(struct metadata_output *out, uint64_t offset, struct mkrootfs_error *error)
{
	static const uint8_t zeros[EROFS_BLOCK_SIZE];
	int status = 0;

	assert(out->at <= offset);
	while (status == 0 && out->at < offset) {
		uint64_t len = offset - out->at;

		status = metadata_put(out, zeros, len < sizeof(zeros) ? len : sizeof(zeros), error);
	}
	return status;
}
