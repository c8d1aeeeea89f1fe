/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include <string.h>

/* Makes data not empty, unless the source has ended. */
static int refill(struct tar_input *input, struct mkrootfs_error *error)
{
	if (input->len > 0)
		return 0;
	if (input->rest_len > 0) {
		input->data = input->rest;
		input->len = input->rest_len;
		input->rest_len = 0;
		return 0;
	}
	return source_next(input->source, &input->data, &input->len, error);
}

/* Moves bytes from rest behind data, which is in block. */
static void fill_block(struct tar_input *input)
{
	size_t more = TAR_BLOCK_SIZE - input->len;

	if (more > input->rest_len)
		more = input->rest_len;
	memcpy(input->block + input->len, input->rest, more);
	input->len += more;
	input->rest += more;
	input->rest_len -= more;
}

/* Collects a block out of several chunks. */
static int assemble(struct tar_input *input, struct mkrootfs_error *error)
{
	int status;

	memmove(input->block, input->data, input->len);
	input->data = input->block;
	while (input->len < TAR_BLOCK_SIZE) {
		if (input->rest_len == 0) {
			status = source_next(input->source, &input->rest, &input->rest_len, error);
			if (status < 0)
				return status;
		}
		if (input->rest_len == 0)
			return 0;
		fill_block(input);
	}
	return 0;
}

int tar_input_peek(const uint8_t **block, size_t *len, struct tar_input *input,
		   struct mkrootfs_error *error)
{
	int status = refill(input, error);

	if (status == 0 && input->len > 0 && input->len < TAR_BLOCK_SIZE)
		status = assemble(input, error);
	*block = input->data;
	*len = input->len < TAR_BLOCK_SIZE ? input->len : TAR_BLOCK_SIZE;
	return status;
}

void tar_input_consume(struct tar_input *input, size_t len)
{
	if (len == 0)
		return; /* data may be NULL */
	input->data += len;
	input->len -= len;
	input->offset += len;
}

int tar_input_take(const uint8_t **data, size_t *len, struct tar_input *input, uint64_t max,
		   struct mkrootfs_error *error)
{
	int status = refill(input, error);

	*data = input->data;
	*len = input->len < max ? input->len : (size_t)max;
	if (status == 0)
		tar_input_consume(input, *len);
	return status;
}

/* Passes over what was not read yet, where the source can. */
static uint64_t skip_unread(struct tar_input *input, uint64_t len)
{
	uint64_t skipped = 0;

	if (input->len == 0 && input->rest_len == 0)
		skipped = source_skip(input->source, len);
	input->offset += skipped;
	return skipped;
}

int tar_input_skip(uint64_t *left, struct tar_input *input, uint64_t len,
		   struct mkrootfs_error *error)
{
	const uint8_t *data;
	size_t taken;
	int status = 0;

	while (status == 0 && len > 0) {
		len -= skip_unread(input, len);
		if (len == 0)
			break;
		status = tar_input_take(&data, &taken, input, len, error);
		if (taken == 0)
			break;
		len -= taken;
	}
	*left = len;
	return status;
}
