/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "tar/header.h"

static const struct {
	char field[13]; /* the literals are filled up by NULs */
	size_t width;
	bool valid;
	int64_t value;
} numbers[] = {
	{ "0000644", 8, true, 0644 },
	{ "  644 \0", 8, true, 0644 },
	{ "000644 \0", 8, true, 0644 },
	{ "77777777", 8, true, 077777777 },
	{ "7654321", 8, true, 07654321 },
	{ "1234567 ", 8, true, 01234567 },
	{ "76543210123", 12, true, 076543210123 },
	{ "12345670123 ", 12, true, 012345670123 },
	{ "7654321012x", 12, false, 0 },
	{ "765432/", 8, false, 0 },
	{ "1234568", 8, false, 0 },
	{ "1238567", 8, false, 0 },
	{ "1238\0", 8, false, 0 },
	{ "x765432", 8, false, 0 },
	{ "1234567890", 12, false, 0 },
	{ "777777777777", 12, true, 0777777777777 },
	{ "\0\0\0\0\0\0\0", 8, true, 0 },
	{ "        ", 8, true, 0 },
	{ "    \0\0\0\0", 8, true, 0 },
	{ "1\0junk!!", 8, true, 1 },
	{ "1 junk!!", 8, true, 1 },
	{ "1junk", 8, false, 0 },
	{ "8", 8, false, 0 },
	{ "-1", 8, false, 0 },
	{ "+1", 8, false, 0 },
	{ "0x10", 8, false, 0 },
	{ "\t1", 8, false, 0 },
	{ "\0001", 8, false, 0 },
	{ "  \0001", 8, false, 0 },
	{ "\x80\0\0\0\0\0\0\x01", 8, true, 1 },
	{ "\x80\0\0\0\xff\xff\xff\xfe", 8, true, 0xfffffffe },
	{ "\x81\0\0\0\0\0\0\0", 8, true, INT64_C(1) << 56 },
	{ "\xbf\xff\xff\xff\xff\xff\xff\xff", 8, true, INT64_C(0x3fffffffffffffff) },
	{ "\xff\xff\xff\xff\xff\xff\xff\xff", 8, true, -1 },
	{ "\xc0\0\0\0\0\0\0\0", 8, true, -(INT64_C(1) << 62) },
	{ "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12, true, INT64_MAX },
	{ "\x80\0\0\0\x80\0\0\0\0\0\0\0", 12, true, INT64_MAX },
	{ "\xbf\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12, true, INT64_MAX },
	{ "\xff\xff\xff\xff\x80\0\0\0\0\0\0\0", 12, true, INT64_MIN },
	{ "\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 12, true, INT64_MIN },
	{ "\xc0\0\0\0\0\0\0\0\0\0\0\0", 12, true, INT64_MIN },
};

static void decodes_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		int64_t value = 0;
		bool valid =
			tar_number(&value, (const uint8_t *)numbers[i].field, numbers[i].width);

		if (valid != numbers[i].valid || (valid && value != numbers[i].value))
			fail_msg("number %zu: %d, %lld", i, valid, (long long)value);
	}
}

/* Numbers that printf wrote, all over the range of a field. */
static void decodes_every_seventh_value(void **state)
{
	(void)state;
	for (int64_t expected = 0; expected < 010000000; expected += 7) {
		char field[16];
		int64_t value;

		snprintf(field, sizeof(field), "%07o", (unsigned)expected);
		assert_true(tar_number(&value, (uint8_t *)field, 8) && value == expected);
		snprintf(field, sizeof(field), "%06o%c ", (unsigned)(expected >> 3), 0);
		assert_true(tar_number(&value, (uint8_t *)field, 8) && value == expected >> 3);
		snprintf(field, sizeof(field), "%011o", (unsigned)(expected << 9));
		assert_true(tar_number(&value, (uint8_t *)field, 12) && value == expected << 9);
	}
}

/* A header whose checksum is taken over unsigned or signed bytes. */
static void make_header(uint8_t block[TAR_BLOCK_SIZE], const char *name, bool is_signed)
{
	int sum = 8 * ' ';

	memset(block, 0, TAR_BLOCK_SIZE);
	memcpy(block, name, strlen(name));
	for (size_t i = 0; i < TAR_BLOCK_SIZE; i++)
		sum += is_signed ? (int8_t)block[i] : block[i];
	snprintf((char *)block + 148, 8, "%06o", (unsigned)sum);
}

static void checks_both_sums(void **state)
{
	uint8_t block[TAR_BLOCK_SIZE];

	(void)state;
	make_header(block, "caf\xe9", false);
	assert_true(tar_header_is_valid(block));
	make_header(block, "caf\xe9", true);
	assert_true(tar_header_is_valid(block));
	block[0]++;
	assert_false(tar_header_is_valid(block));
	memset(block, 0, sizeof(block));
	assert_false(tar_header_is_valid(block));
	assert_true(tar_block_is_zero(block));
}

/* Any single changed bit outside the checksum, where '0' and ' ' may stand for each other. */
static void finds_every_flipped_bit(void **state)
{
	uint8_t block[TAR_BLOCK_SIZE];

	(void)state;
	make_header(block, "usr/share/doc", false);
	for (size_t bit = 0; bit < TAR_BLOCK_SIZE * 8; bit++) {
		block[bit / 8] ^= (uint8_t)(1 << bit % 8);
		if (bit / 8 < 148 || bit / 8 >= 156)
			assert_false(tar_header_is_valid(block));
		assert_false(tar_block_is_zero(block));
		block[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	assert_true(tar_header_is_valid(block));
}

/* The sum of all-ones bytes needs every bit of the lanes that it is added up in. */
static void sums_the_largest_bytes(void **state)
{
	uint8_t block[TAR_BLOCK_SIZE];

	(void)state;
	memset(block, 0xff, sizeof(block));
	memset(block + 148, ' ', 8);
	snprintf((char *)block + 148, 8, "%06o", (TAR_BLOCK_SIZE - 8) * 0xff + 8 * ' ');
	assert_true(tar_header_is_valid(block));
}

static const struct {
	const char *magic; /* 8 bytes */
	enum tar_form form;
} forms[] = {
	{ "ustar\00000", TAR_FORM_USTAR },   { "ustar\0\0\0", TAR_FORM_USTAR },
	{ "ustar  \0", TAR_FORM_GNU },	     { "ustar 00", TAR_FORM_USTAR },
	{ "\0\0\0\0\0\0\0\0", TAR_FORM_V7 }, { "USTAR\00000", TAR_FORM_V7 },
};

static void tells_the_form(void **state)
{
	uint8_t block[TAR_BLOCK_SIZE] = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		memcpy(block + 257, forms[i].magic, 8);
		assert_int_equal(tar_header_view(block).form, forms[i].form);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decodes_numbers),
		cmocka_unit_test(decodes_every_seventh_value),
		cmocka_unit_test(checks_both_sums),
		cmocka_unit_test(finds_every_flipped_bit),
		cmocka_unit_test(sums_the_largest_bytes),
		cmocka_unit_test(tells_the_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
