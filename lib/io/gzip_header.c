/* SPDX-License-Identifier: Apache-2.0 */
#include "gzip_header.h"

#include "../base/bytes.h"

#include <string.h>

#define METHOD_DEFLATE 8
#define FLAG_HCRC 0x02
#define FLAG_EXTRA 0x04
#define FLAG_NAME 0x08
#define FLAG_COMMENT 0x10
#define FLAGS_RESERVED 0xe0 /* "must give an error indication if any reserved bit is non-zero" */

#define FIXED_SIZE 8 /* CM FLG MTIME XFL OS: what follows the magic */

/* Moves len bytes past the header's CRC. */
static void pass(struct gzip_header *header, const uint8_t **in, size_t *len, size_t count)
{
	header->crc = header->engine->crc32(header->state, header->crc, *in, count);
	*in += count;
	*len -= count;
}

/* Collects a field of size bytes; true once it is complete in header->bytes. */
static bool collect(struct gzip_header *header, const uint8_t **in, size_t *len, uint32_t size)
{
	size_t count = size - header->have;

	if (count > *len)
		count = *len;
	memcpy(header->bytes + header->have, *in, count);
	header->have += (uint32_t)count;
	pass(header, in, len, count);
	return header->have == size;
}

static int read_fixed(struct gzip_header *header, const uint8_t **in, size_t *len,
		      struct mkrootfs_error *error)
{
	if (!collect(header, in, len, FIXED_SIZE))
		return 0;
	header->flags = header->bytes[1];
	if (header->bytes[0] != METHOD_DEFLATE)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "unknown compression method %u",
				 header->bytes[0]);
	if (header->flags & FLAGS_RESERVED)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "reserved flags 0x%02x are set",
				 header->flags & FLAGS_RESERVED);
	return 1;
}

static int read_extra_length(struct gzip_header *header, const uint8_t **in, size_t *len,
			     struct mkrootfs_error *error)
{
	(void)error;
	header->want = 0;
	if (!(header->flags & FLAG_EXTRA))
		return 1;
	if (!collect(header, in, len, 2))
		return 0;
	header->want = get_le16(header->bytes);
	return 1;
}

static int read_extra(struct gzip_header *header, const uint8_t **in, size_t *len,
		      struct mkrootfs_error *error)
{
	size_t count = header->want - header->have;

	(void)error;
	if (count > *len)
		count = *len;
	header->have += (uint32_t)count;
	pass(header, in, len, count);
	return header->have == header->want;
}

static int read_text(struct gzip_header *header, const uint8_t **in, size_t *len, unsigned flag)
{
	const uint8_t *end;

	if (!(header->flags & flag))
		return 1;
	end = memchr(*in, 0, *len);
	pass(header, in, len, end ? (size_t)(end - *in) + 1 : *len);
	return end != NULL;
}

static int read_name(struct gzip_header *header, const uint8_t **in, size_t *len,
		     struct mkrootfs_error *error)
{
	(void)error;
	return read_text(header, in, len, FLAG_NAME);
}

static int read_comment(struct gzip_header *header, const uint8_t **in, size_t *len,
			struct mkrootfs_error *error)
{
	(void)error;
	return read_text(header, in, len, FLAG_COMMENT);
}

static int read_crc(struct gzip_header *header, const uint8_t **in, size_t *len,
		    struct mkrootfs_error *error)
{
	uint16_t is = (uint16_t)header->crc;

	if (!(header->flags & FLAG_HCRC))
		return 1;
	if (header->have == 0)
		header->want = is; /* before the field itself changes the CRC */
	if (!collect(header, in, len, 2))
		return 0;
	if (get_le16(header->bytes) != header->want)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "its CRC-16 is %04x, the header says %04x", header->want,
				 get_le16(header->bytes));
	return 1;
}

static int (*const parts[])(struct gzip_header *, const uint8_t **, size_t *,
			    struct mkrootfs_error *) = {
	read_fixed, read_extra_length, read_extra, read_name, read_comment, read_crc,
};

void gzip_header_begin(struct gzip_header *header, const struct inflate_engine *engine,
		       const void *state)
{
	static const uint8_t magic[] = { GZIP_MAGIC_1, GZIP_MAGIC_2 };

	memset(header, 0, sizeof(*header));
	header->engine = engine;
	header->state = state;
	header->crc = engine->crc32(state, 0, magic, sizeof(magic));
}

int gzip_header_feed(struct gzip_header *header, const uint8_t **in, size_t *len,
		     struct mkrootfs_error *error)
{
	int status = 1;

	while (header->part < sizeof(parts) / sizeof(parts[0]) && status == 1) {
		status = parts[header->part](header, in, len, error);
		if (status != 1)
			return status;
		header->part++;
		header->have = 0;
	}
	return 1;
}
