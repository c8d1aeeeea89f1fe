/* SPDX-License-Identifier: Apache-2.0 */
#include "data_area.h"

#include "format.h"

#include <stdbool.h>
#include <string.h>

/* Pieces of zeros from this size on are left as holes of the image file. */
#define ZERO_SKIP EROFS_BLOCK_SIZE

int data_area_reserve(struct data_area *area, uint64_t blocks, struct mkrootfs_error *error)
{
	if (blocks > EROFS_MAX_BLOCKS - area->next_block)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "the layer image would exceed 16 TiB");
	area->next_block += blocks;
	return 0;
}

static bool is_zero(const uint8_t *bytes, size_t len)
{
	return bytes[0] == 0 && !memcmp(bytes, bytes + 1, len - 1);
}

int data_area_write(struct data_area *area, uint64_t at, const uint8_t *bytes, size_t len,
		    struct mkrootfs_error *error)
{
	if (len >= ZERO_SKIP && at >= area->high_water && is_zero(bytes, len))
		return 0;
	if (at + len > area->high_water)
		area->high_water = at + len;
	return image_file_write(area->file, at, bytes, len, error);
}

static int end_at(struct data_area *area, uint64_t end, struct mkrootfs_error *error)
{
	area->high_water = end;
	return image_file_resize(area->file, end, error);
}

int data_area_clear_rest(struct data_area *area, struct mkrootfs_error *error)
{
	uint64_t end = area->next_block << EROFS_BLOCK_BITS;

	return area->high_water > end ? end_at(area, end, error) : 0;
}

int data_area_cover(struct data_area *area, struct mkrootfs_error *error)
{
	uint64_t end = area->next_block << EROFS_BLOCK_BITS;

	return area->high_water < end ? end_at(area, end, error) : 0;
}
