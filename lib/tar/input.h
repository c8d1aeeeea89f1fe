/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The archive's bytes: whole blocks for headers, lent pieces for content. Only a block that lies
 * across two chunks of the source is copied.
 *
 *	struct tar_input input = { .source = source };
 *	while ((status = tar_input_peek(&block, &len, &input, error)) == 0 && len == TAR_BLOCK_SIZE)
 *{ tar_input_consume(&input, TAR_BLOCK_SIZE);	keeps what block points to
 *		...
 *	}
 */
#ifndef MKROOTFS_TAR_INPUT_H
#define MKROOTFS_TAR_INPUT_H

#include "../io/source.h"
#include "header.h"

struct tar_input {
	struct source *source; /* borrowed */
	uint64_t offset;       /* bytes consumed since the start of the archive */
	const uint8_t *data;   /* not yet consumed */
	size_t len;
	const uint8_t *rest; /* what follows data, when data is in block */
	size_t rest_len;
	uint8_t block[TAR_BLOCK_SIZE];
};

/* Lends the next block without consuming it; *len is less than TAR_BLOCK_SIZE only at the end. */
int tar_input_peek(const uint8_t **block, size_t *len, struct tar_input *input,
		   struct mkrootfs_error *error);
/* Consumes bytes that were lent by the last call. */
void tar_input_consume(struct tar_input *input, size_t len);

/* Lends and consumes at least 1 and at most max bytes; *len 0 is the end. */
int tar_input_take(const uint8_t **data, size_t *len, struct tar_input *input, uint64_t max,
		   struct mkrootfs_error *error);
/* Consumes up to len bytes, fewer only at the end; *left is how many were missing. */
int tar_input_skip(uint64_t *left, struct tar_input *input, uint64_t len,
		   struct mkrootfs_error *error);

#endif
