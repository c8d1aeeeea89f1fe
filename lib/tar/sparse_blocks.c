/* SPDX-License-Identifier: Apache-2.0 */
/* The two forms of sparse maps that stand in blocks of their own. */
#include "sparse.h"

static int malformed(const char *what, struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "sparse map: %s", what);
}

/* ---- Form 1.0: lines in front of the content ---- */

struct lines {
	struct tar_input *input;
	uint64_t left; /* bytes of the member that are not yet read */
	const uint8_t *block;
	size_t at; /* in block */
};

static int next_block(struct lines *lines, struct mkrootfs_error *error)
{
	size_t len;
	int status;

	if (lines->left < TAR_BLOCK_SIZE)
		return malformed("it is longer than the member", error);
	status = tar_input_peek(&lines->block, &len, lines->input, error);
	if (status < 0)
		return status;
	if (len < TAR_BLOCK_SIZE)
		return malformed("the archive ends inside it", error);
	tar_input_consume(lines->input, TAR_BLOCK_SIZE);
	lines->left -= TAR_BLOCK_SIZE;
	lines->at = 0;
	return 0;
}

/* The number on the next line, which may lie across blocks. */
static int next_line(int64_t *out, struct lines *lines, struct mkrootfs_error *error)
{
	char digits[20]; /* UINT64_MAX has as many */
	struct tar_text text = { digits, 0 };
	int status;

	for (;;) {
		if (!lines->block || lines->at == TAR_BLOCK_SIZE) {
			status = next_block(lines, error);
			if (status < 0)
				return status;
		}
		if (lines->block[lines->at] == '\n')
			break;
		if (text.len == sizeof(digits))
			return malformed("a line is too long", error);
		digits[text.len++] = (char)lines->block[lines->at++];
	}
	lines->at++;
	return tar_decimal(out, &text) ? 0 : malformed("a line is no number", error);
}

int tar_sparse_read_text(struct tar_sparse_map *map, uint64_t *stored_size, struct tar_input *input,
			 struct mkrootfs_error *error)
{
	struct lines lines = { .input = input, .left = *stored_size };
	int64_t count, offset, len;
	int status = next_line(&count, &lines, error);

	while (status == 0 && count > 0) {
		status = next_line(&offset, &lines, error);
		if (status == 0)
			status = next_line(&len, &lines, error);
		if (status == 0)
			status = tar_sparse_add(map, offset, len, error);
		count--;
	}
	*stored_size = lines.left;
	return status;
}

/* ---- Old GNU form: pairs of fields in headers ---- */

enum {
	PAIR_SIZE = 24,
	HEADER_PAIRS_OFFSET = 386,
	HEADER_PAIRS = 4,
	HEADER_MORE_OFFSET = 482,
	BLOCK_PAIRS = 21,
	BLOCK_MORE_OFFSET = 504,
};

/* An empty size field ends the list. */
static int add_pairs(struct tar_sparse_map *map, const uint8_t *pair, size_t count,
		     struct mkrootfs_error *error)
{
	int64_t offset, len;
	int status = 0;

	for (; status == 0 && count > 0 && pair[PAIR_SIZE / 2]; count--, pair += PAIR_SIZE) {
		if (!tar_number(&offset, pair, PAIR_SIZE / 2) ||
		    !tar_number(&len, pair + PAIR_SIZE / 2, PAIR_SIZE / 2))
			return malformed("a field is no number", error);
		status = tar_sparse_add(map, offset, len, error);
	}
	return status;
}

int tar_sparse_read_header(struct tar_sparse_map *map, const struct tar_header *header,
			   struct tar_input *input, struct mkrootfs_error *error)
{
	struct lines blocks = { .input = input };
	bool more = header->block[HEADER_MORE_OFFSET];
	int status = add_pairs(map, header->block + HEADER_PAIRS_OFFSET, HEADER_PAIRS, error);

	while (status == 0 && more) {
		blocks.left = TAR_BLOCK_SIZE; /* not counted in the member's size */
		status = next_block(&blocks, error);
		if (status < 0)
			break;
		more = blocks.block[BLOCK_MORE_OFFSET];
		status = add_pairs(map, blocks.block, BLOCK_PAIRS, error);
	}
	return status;
}
