/* SPDX-License-Identifier: Apache-2.0 */
#include "sniff.h"

#include <string.h>

/* A byte of a magic is a range: most are of one value. */
struct byte_range {
	uint8_t low, high;
};

#define IS(byte)           \
	{                  \
		byte, byte \
	}

/*
 * gzip with its only method. Then zstd (RFC 8878: 0xfd2fb528 and the skippable 0x184d2a5?, little
 * endian). The others are refused by name, so that the user learns more than "no tar".
 */
static const struct magic {
	enum sniff_kind kind;
	const char *name;
	size_t len;
	struct byte_range bytes[6];
} magics[] = {
	{ SNIFF_GZIP, NULL, 3, { IS(0x1f), IS(0x8b), IS(8) } },
	{ SNIFF_ZSTD, NULL, 4, { IS(0x28), IS(0xb5), IS(0x2f), IS(0xfd) } },
	{ SNIFF_ZSTD, NULL, 4, { { 0x50, 0x5f }, IS(0x2a), IS(0x4d), IS(0x18) } },
	{ SNIFF_OTHER, "xz", 6, { IS(0xfd), IS('7'), IS('z'), IS('X'), IS('Z'), IS(0) } },
	{ SNIFF_OTHER, "bzip2", 4, { IS('B'), IS('Z'), IS('h'), { '1', '9' } } },
	{ SNIFF_OTHER, "lz4", 4, { IS(0x04), IS(0x22), IS(0x4d), IS(0x18) } },
	{ SNIFF_OTHER, "lz4", 4, { IS(0x02), IS(0x21), IS(0x4c), IS(0x18) } }, /* legacy frame */
	{ SNIFF_OTHER, "lzip", 5, { IS('L'), IS('Z'), IS('I'), IS('P'), IS(1) } },
};

static bool begins_as(const struct magic *magic, const uint8_t *head, size_t len)
{
	for (size_t i = 0; i < magic->len && i < len; i++)
		if (head[i] < magic->bytes[i].low || head[i] > magic->bytes[i].high)
			return false;
	return len > 0;
}

static const struct magic *find(const uint8_t *head, size_t len)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (begins_as(&magics[i], head, len))
			return &magics[i];
	return NULL;
}

#define TAR_HEADER_SIZE 512
#define TAR_CHECKSUM 148 /* octal, 8 bytes; counted as spaces in the sum itself */
#define TAR_CHECKSUM_END 156

/* The sum of all bytes, as POSIX has it, and with signed bytes, as some old writers do. */
static bool is_tar_header(const uint8_t *head)
{
	long is = 0, is_signed = 0, should = 0;
	size_t at = TAR_CHECKSUM;

	for (size_t i = 0; i < TAR_HEADER_SIZE; i++) {
		uint8_t byte = i >= TAR_CHECKSUM && i < TAR_CHECKSUM_END ? ' ' : head[i];

		is += byte;
		is_signed += (int8_t)byte;
	}
	while (at < TAR_CHECKSUM_END && head[at] == ' ')
		at++;
	while (at < TAR_CHECKSUM_END && head[at] >= '0' && head[at] <= '7')
		should = should * 8 + (head[at++] - '0');
	return should == is || should == is_signed;
}

/* File names begin tars, and a name may begin with the magic of something else. */
static enum sniff_kind other_or_tar(const uint8_t *head, size_t len, bool at_end)
{
	if (len < TAR_HEADER_SIZE)
		return at_end ? SNIFF_OTHER : SNIFF_MORE;
	return is_tar_header(head) ? SNIFF_PLAIN : SNIFF_OTHER;
}

enum sniff_kind sniff(const uint8_t *head, size_t len, bool at_end, const char **name)
{
	const struct magic *magic = find(head, len);
	enum sniff_kind kind = magic ? magic->kind : SNIFF_PLAIN;

	*name = NULL;
	if (!at_end && (len == 0 || (magic && len < magic->len)))
		return SNIFF_MORE;
	/* No tar is shorter than a magic: if it begins as gzip or zstd, that was cut. */
	if (kind == SNIFF_OTHER)
		kind = len < magic->len ? SNIFF_PLAIN : other_or_tar(head, len, at_end);
	if (kind == SNIFF_OTHER)
		*name = magic->name;
	return kind;
}
