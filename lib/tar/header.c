/* SPDX-License-Identifier: Apache-2.0 */
#include "header.h"

#include "../base/bytes.h"
#include "header_fields.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

bool tar_block_is_zero(const uint8_t block[TAR_BLOCK_SIZE])
{
	return block[0] == 0 && !memcmp(block, block + 1, TAR_BLOCK_SIZE - 1);
}

#ifdef __SSE2__
/* One instruction adds up eight bytes to each of two lanes. */
static __m128i sums_of_eight(const uint8_t *bytes)
{
	return _mm_sad_epu8(_mm_loadu_si128((const __m128i *)(const void *)bytes),
			    _mm_setzero_si128());
}

uint32_t tar_block_sum(const uint8_t block[TAR_BLOCK_SIZE])
{
	__m128i lanes = _mm_setzero_si128();

#pragma GCC unroll 8
	for (size_t i = 0; i < TAR_BLOCK_SIZE; i += 16)
		lanes = _mm_add_epi32(lanes, sums_of_eight(block + i));
	return (uint32_t)(_mm_cvtsi128_si32(lanes) +
			  _mm_cvtsi128_si32(_mm_unpackhi_epi64(lanes, lanes)));
}
#else
/* Eight bytes at a time: 64 words add at most 64 * 510 to a lane of 16 bits. */
uint32_t tar_block_sum(const uint8_t block[TAR_BLOCK_SIZE])
{
	const uint64_t low = 0x00ff00ff00ff00ff;
	uint64_t lanes = 0;

	for (size_t i = 0; i < TAR_BLOCK_SIZE; i += 8) {
		uint64_t word = get_le64(block + i);

		lanes += (word & low) + (word >> 8 & low);
	}
	return (uint32_t)((lanes & 0xffff) + (lanes >> 16 & 0xffff) + (lanes >> 32 & 0xffff) +
			  (lanes >> 48));
}
#endif

static uint32_t high_bytes(const uint8_t *data, size_t len)
{
	uint32_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += data[i] >> 7;
	return count;
}

static uint32_t sum_of_eight(const uint8_t bytes[8])
{
	const uint64_t word = get_le64(bytes), low = 0x00ff00ff00ff00ff;

	/* The highest lane of the product is the sum of all four. */
	return (uint32_t)(((word & low) + (word >> 8 & low)) * 0x0001000100010001 >> 48);
}

/* The checksum is made with its own field filled with blanks. */
bool tar_header_is_valid(const uint8_t block[TAR_BLOCK_SIZE])
{
	const uint8_t *own = block + tar_checksum_field.offset;
	int64_t stored, sum = tar_block_sum(block);

	if (!tar_number(&stored, own, tar_checksum_field.width))
		return false;
	sum += 8 * ' ' - (int64_t)sum_of_eight(own);
	if (stored == sum)
		return true;
	return stored ==
	       sum - 256 * (int64_t)(high_bytes(block, TAR_BLOCK_SIZE) - high_bytes(own, 8));
}

struct tar_header tar_header_view(const uint8_t block[TAR_BLOCK_SIZE])
{
	struct tar_header header = { .block = block, .type = block[TAR_TYPE_OFFSET] };

	if (!memcmp(block + TAR_MAGIC_OFFSET, "ustar  ", 8))
		header.form = TAR_FORM_GNU;
	else if (!memcmp(block + TAR_MAGIC_OFFSET, "ustar", 5))
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

/* Whether the rest of a field holds nothing but blanks and NULs. */
static bool is_blank(const uint8_t *field, const uint8_t *end)
{
	while (field < end && is_end(*field))
		field++;
	return field == end;
}

/* The value of eight octal digits, the first in the lowest byte: pairs, fours, then all of them. */
static bool eight_digits(uint64_t *out, uint64_t text)
{
	if ((text & 0xf8f8f8f8f8f8f8f8) != 0x3030303030303030)
		return false;
	text &= 0x0707070707070707;
	text = (text << 3 | text >> 8) & 0x003f003f003f003f;
	text = (text << 6 | text >> 16) & 0x00000fff00000fff;
	*out = (text << 12 | text >> 32) & 0xffffff;
	return true;
}

/*
 * What nearly every field holds: 7 or 11 digits and a NUL or blank; checksums: 6 digits and both.
 * Headers cost little that way.
 */
static bool usual_number(int64_t *out, const uint8_t *field, size_t width)
{
	const unsigned end_bits = width == 8 && is_end(field[6]) ? 16 : 8;
	const uint64_t text = get_le64(field + width - 8) << end_bits;
	uint64_t high = 0, low;

	if (!is_end(field[width - 1]) || !eight_digits(&low, text | 0x3030u >> (16 - end_bits)))
		return false;
	if (width == 12 && !eight_digits(&high, (uint64_t)get_le32(field) << 32 | 0x30303030))
		return false;
	*out = (int64_t)(high << 21 | low);
	return true;
}

static bool any_number(int64_t *out, const uint8_t *field, size_t width)
{
	const uint8_t *at = field, *end = field + width, *digits;
	uint64_t value = 0;

	if (field[0] & 0x80) {
		*out = base256(field, width);
		return true;
	}
	while (at < end && *at == ' ')
		at++;
	for (digits = at; at < end && (*at ^ '0') < 8; at++)
		value = value << 3 | (*at ^ '0'); /* 12 digits: 36 bits */
	*out = (int64_t)value;
	if (at > digits)
		return at == end || is_end(*at);
	/* A NUL in front of digits: some readers skip it, some stop. Neither guess is safe. */
	return is_blank(at, end);
}

bool tar_number(int64_t *out, const uint8_t *field, size_t width)
{
	if ((width == 8 || width == 12) && usual_number(out, field, width))
		return true;
	return any_number(out, field, width);
}

int tar_header_number(int64_t *out, const struct tar_header *header, enum tar_field field,
		      struct mkrootfs_error *error)
{
	const struct tar_field_place *f = &tar_fields[field];
	const uint8_t *bytes = header->block + f->offset;

	if (tar_number(out, bytes, f->width))
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "header field %s: '%.*s' is no number",
			 f->name, (int)f->width, (const char *)bytes);
}

static int append_field(struct buf *out, const struct tar_header *header,
			const struct tar_field_place *field, struct mkrootfs_error *error)
{
	const char *text = (const char *)header->block + field->offset;

	return buf_append(out, text, strnlen(text, field->width), error);
}

/* star keeps other things behind a shorter prefix, and marks it by "tar\0" in the last bytes. */
static const struct tar_field_place *prefix_of(const struct tar_header *header)
{
	bool star = !memcmp(header->block + TAR_STAR_MAGIC_OFFSET, "tar", 4);

	return star ? &tar_star_prefix_field : &tar_prefix_field;
}

int tar_header_path(struct buf *out, const struct tar_header *header, struct mkrootfs_error *error)
{
	int status = 0;

	if (header->form == TAR_FORM_USTAR && header->block[tar_prefix_field.offset]) {
		status = append_field(out, header, prefix_of(header), error);
		if (status == 0)
			status = buf_append(out, "/", 1, error);
	}
	return status < 0 ? status : append_field(out, header, &tar_name_field, error);
}

int tar_header_link(struct buf *out, const struct tar_header *header, struct mkrootfs_error *error)
{
	return append_field(out, header, &tar_link_field, error);
}
