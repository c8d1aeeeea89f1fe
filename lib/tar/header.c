/* SPDX-License-Identifier: Apache-2.0 */
#include "header.h"

#include <string.h>

struct field {
	const char *name;
	uint16_t offset;
	uint16_t width;
};

static const struct field fields[] = {
	[TAR_FIELD_MODE] = { "mode", 100, 8 },
	[TAR_FIELD_UID] = { "uid", 108, 8 },
	[TAR_FIELD_GID] = { "gid", 116, 8 },
	[TAR_FIELD_SIZE] = { "size", 124, 12 },
	[TAR_FIELD_MTIME] = { "mtime", 136, 12 },
	[TAR_FIELD_DEVICE_MAJOR] = { "devmajor", 329, 8 },
	[TAR_FIELD_DEVICE_MINOR] = { "devminor", 337, 8 },
	[TAR_FIELD_REAL_SIZE] = { "realsize", 483, 12 },
};

static const struct field name_field = { "name", 0, 100 };
static const struct field checksum_field = { "chksum", 148, 8 };
static const struct field link_field = { "linkname", 157, 100 };
static const struct field prefix_field = { "prefix", 345, 155 };
static const struct field star_prefix_field = { "prefix", 345, 131 };

enum { TYPE_OFFSET = 156, MAGIC_OFFSET = 257, STAR_MAGIC_OFFSET = 508 };

bool tar_block_is_zero(const uint8_t block[TAR_BLOCK_SIZE])
{
	return block[0] == 0 && !memcmp(block, block + 1, TAR_BLOCK_SIZE - 1);
}

/* The sum of all bytes, eight at a time: 64 words add at most 64 * 510 to a lane of 16 bits. */
static uint32_t byte_sum(const uint8_t block[TAR_BLOCK_SIZE])
{
	const uint64_t low = 0x00ff00ff00ff00ff;
	uint64_t lanes = 0;

	for (size_t i = 0; i < TAR_BLOCK_SIZE; i += 8) {
		uint64_t word;

		memcpy(&word, block + i, 8);
		lanes += (word & low) + (word >> 8 & low);
	}
	return (uint32_t)((lanes & 0xffff) + (lanes >> 16 & 0xffff) + (lanes >> 32 & 0xffff) +
			  (lanes >> 48));
}

static uint32_t high_bytes(const uint8_t *data, size_t len)
{
	uint32_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += data[i] >> 7;
	return count;
}

/* The checksum is made with its own field filled with blanks. */
bool tar_header_is_valid(const uint8_t block[TAR_BLOCK_SIZE])
{
	const uint8_t *own = block + checksum_field.offset;
	int64_t stored, sum = byte_sum(block);

	if (!tar_number(&stored, own, checksum_field.width))
		return false;
	sum += 8 * ' ';
	for (size_t i = 0; i < checksum_field.width; i++)
		sum -= own[i];
	if (stored == sum)
		return true;
	return stored ==
	       sum - 256 * (int64_t)(high_bytes(block, TAR_BLOCK_SIZE) - high_bytes(own, 8));
}

struct tar_header tar_header_view(const uint8_t block[TAR_BLOCK_SIZE])
{
	struct tar_header header = { .block = block, .type = block[TYPE_OFFSET] };

	if (!memcmp(block + MAGIC_OFFSET, "ustar  ", 8))
		header.form = TAR_FORM_GNU;
	else if (!memcmp(block + MAGIC_OFFSET, "ustar", 5))
		header.form = TAR_FORM_USTAR;
	return header;
}

/* Two's complement, most significant byte first; bit 7 of the first byte is the mark, 6 the sign.
 */
static int64_t base256(const uint8_t *field, size_t width)
{
	bool negative = field[0] & 0x40;
	int64_t value = negative ? (int8_t)field[0] : field[0] & 0x3f;

	for (size_t i = 1; i < width; i++) {
		if (value > INT64_MAX >> 8)
			return INT64_MAX;
		if (value < INT64_MIN >> 8)
			return INT64_MIN;
		value = value * 256 + field[i];
	}
	return value;
}

static bool is_end(uint8_t byte)
{
	return byte == 0 || byte == ' ';
}

bool tar_number(int64_t *out, const uint8_t *field, size_t width)
{
	size_t i = 0, blank;
	uint64_t value = 0;

	if (field[0] & 0x80) {
		*out = base256(field, width);
		return true;
	}
	while (i < width && field[i] == ' ')
		i++;
	blank = i;
	for (; i < width && field[i] >= '0' && field[i] <= '7'; i++)
		value = value << 3 | (uint64_t)(field[i] - '0'); /* 12 digits: 36 bits */
	*out = (int64_t)value;
	if (i < width && !is_end(field[i]))
		return false;
	/* A NUL in front of digits: some readers skip it, some stop. Neither guess is safe. */
	for (; i == blank && blank < width; blank++, i++)
		if (!is_end(field[i]))
			return false;
	return true;
}

int tar_header_number(int64_t *out, const struct tar_header *header, enum tar_field field,
		      struct mkrootfs_error *error)
{
	const struct field *f = &fields[field];
	const uint8_t *bytes = header->block + f->offset;

	if (tar_number(out, bytes, f->width))
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "header field %s: '%.*s' is no number",
			 f->name, (int)f->width, (const char *)bytes);
}

static int append_field(struct buf *out, const struct tar_header *header, const struct field *field,
			struct mkrootfs_error *error)
{
	const char *text = (const char *)header->block + field->offset;

	return buf_append(out, text, strnlen(text, field->width), error);
}

/* star keeps other things behind a shorter prefix, and marks it by "tar\0" in the last bytes. */
static const struct field *prefix_of(const struct tar_header *header)
{
	bool star = !memcmp(header->block + STAR_MAGIC_OFFSET, "tar", 4);

	return star ? &star_prefix_field : &prefix_field;
}

int tar_header_path(struct buf *out, const struct tar_header *header, struct mkrootfs_error *error)
{
	int status = 0;

	if (header->form == TAR_FORM_USTAR && header->block[prefix_field.offset]) {
		status = append_field(out, header, prefix_of(header), error);
		if (status == 0)
			status = buf_append(out, "/", 1, error);
	}
	return status < 0 ? status : append_field(out, header, &name_field, error);
}

int tar_header_link(struct buf *out, const struct tar_header *header, struct mkrootfs_error *error)
{
	return append_field(out, header, &link_field, error);
}
