/* SPDX-License-Identifier: Apache-2.0 */
#include "headers.h"

#include <inttypes.h>

#define SHOWN_NAME_MAX 200 /* bytes of a name in a message */

void tar_headers_init(struct tar_headers *headers, struct source *source)
{
	*headers = (struct tar_headers){ .input = { .source = source } };
	tar_extensions_init(&headers->ext);
}

void tar_headers_free(struct tar_headers *headers)
{
	tar_extensions_free(&headers->ext);
}

static void warn(const struct tar_headers *headers, const char *what)
{
	struct mkrootfs_error message;

	if (!headers->warn)
		return;
	error_set(&message, MKROOTFS_OK, "tar: byte %" PRIu64 ": %s", headers->input.offset, what);
	headers->warn(headers->user, message.message);
}

static bool only_zeros(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (data[i])
			return false;
	return true;
}

/* The archive may end without its marks, and inside them, but not inside a header. */
static int end_at(const struct tar_headers *headers, const uint8_t *data, size_t len,
		  struct mkrootfs_error *error)
{
	const char *where = NULL;

	if (!only_zeros(data, len))
		where = "inside a header";
	else if (tar_extensions_are_pending(&headers->ext))
		where = "behind an extension header";
	if (!where)
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "tar: the archive ends %s, at byte %" PRIu64, where,
			 headers->input.offset);
}

/* One zero block was consumed: 0 when the archive ends here, 1 when it goes on. */
static int after_zero_block(struct tar_headers *headers, struct mkrootfs_error *error)
{
	const uint8_t *block;
	size_t len;
	int status = tar_input_peek(&block, &len, &headers->input, error);

	if (status < 0)
		return status;
	if (len < TAR_BLOCK_SIZE || tar_block_is_zero(block)) {
		status = end_at(headers, block, len, error);
		tar_input_consume(&headers->input, len);
		return status;
	}
	warn(headers, "a lone zero block was skipped");
	return 1;
}

static int not_a_header(const struct tar_headers *headers, struct mkrootfs_error *error)
{
	const char *last = headers->last_name;

	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "tar: not a header at byte %" PRIu64 "%s%.*s%s", headers->input.offset,
			 last ? ", behind entry '" : "", SHOWN_NAME_MAX, last ? last : "",
			 last ? "'" : "");
}

/* The next header of any kind. */
static int next_block(struct tar_header *header, struct tar_headers *headers,
		      struct mkrootfs_error *error)
{
	const uint8_t *block;
	size_t len;
	int status;

	for (;;) {
		status = tar_input_peek(&block, &len, &headers->input, error);
		if (status < 0)
			return status;
		if (len < TAR_BLOCK_SIZE)
			return end_at(headers, block, len, error);
		if (!tar_block_is_zero(block))
			break;
		tar_input_consume(&headers->input, TAR_BLOCK_SIZE);
		status = after_zero_block(headers, error);
		if (status <= 0)
			return status;
	}
	if (!tar_header_is_valid(block))
		return not_a_header(headers, error);
	*header = tar_header_view(block);
	tar_input_consume(&headers->input, TAR_BLOCK_SIZE);
	return 1;
}

int tar_headers_next(struct tar_header *header, struct tar_headers *headers,
		     struct mkrootfs_error *error)
{
	int status;

	tar_extensions_clear(&headers->ext);
	do {
		status = next_block(header, headers, error);
		if (status <= 0)
			return status;
		status = tar_extensions_read(&headers->ext, header, &headers->input, error);
		if (status > 0 && headers->ext.warning)
			warn(headers, headers->ext.warning);
	} while (status > 0);
	return status < 0 ? status : 1;
}
