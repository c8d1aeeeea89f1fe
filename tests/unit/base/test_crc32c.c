/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crc32c.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define POLYNOMIAL 0x82f63b78u /* Castagnoli's, bits reversed */

typedef uint32_t (*crc_fn)(uint32_t seed, const void *data, size_t len);

/* Bit by bit, from the definition. */
static uint32_t reference(uint32_t seed, const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		seed ^= data[i];
		for (int bit = 0; bit < 8; bit++)
			seed = seed & 1 ? seed >> 1 ^ POLYNOMIAL : seed >> 1;
	}
	return seed;
}

static void fill(uint8_t *data, size_t len)
{
	uint32_t state = 1;

	for (size_t i = 0; i < len; i++) {
		state = state * 1664525 + 1013904223;
		data[i] = (uint8_t)(state >> 24);
	}
}

/* Published values: the catalogue's check value, and the examples of RFC 3720, B.4. */
static void check_published(crc_fn crc)
{
	uint8_t data[32];

	assert_int_equal(crc(UINT32_MAX, "123456789", 9) ^ UINT32_MAX, 0xe3069283);
	memset(data, 0, sizeof(data));
	assert_int_equal(crc(UINT32_MAX, data, sizeof(data)) ^ UINT32_MAX, 0x8a9136aa);
	memset(data, 0xff, sizeof(data));
	assert_int_equal(crc(UINT32_MAX, data, sizeof(data)) ^ UINT32_MAX, 0x62a8ab43);
	for (uint8_t i = 0; i < sizeof(data); i++)
		data[i] = i;
	assert_int_equal(crc(UINT32_MAX, data, sizeof(data)) ^ UINT32_MAX, 0x46dd794e);
}

/* Every byte value at every place of a step: all entries of the tables. */
static void check_all_bytes(crc_fn crc)
{
	for (size_t at = 0; at < 9; at++) {
		for (int value = 0; value < 256; value++) {
			uint8_t data[9] = { 0 };

			data[at] = (uint8_t)value;
			assert_int_equal(crc(0, data, sizeof(data)),
					 reference(0, data, sizeof(data)));
		}
	}
}

static void check_lengths_and_alignments(crc_fn crc)
{
	uint8_t data[64];

	fill(data, sizeof(data));
	for (size_t start = 0; start < 8; start++)
		for (size_t len = 0; len <= sizeof(data) - start; len++)
			assert_int_equal(crc(0x12345678, data + start, len),
					 reference(0x12345678, data + start, len));
}

static void check_continues(crc_fn crc)
{
	uint8_t data[100];
	uint32_t whole;

	fill(data, sizeof(data));
	whole = crc(UINT32_MAX, data, sizeof(data));
	for (size_t cut = 0; cut <= sizeof(data); cut++)
		assert_int_equal(crc(crc(UINT32_MAX, data, cut), data + cut, sizeof(data) - cut),
				 whole);
}

static void check(crc_fn crc)
{
	check_published(crc);
	check_all_bytes(crc);
	check_lengths_and_alignments(crc);
	check_continues(crc);
}

static void test_crc32c(void **state)
{
	(void)state;
	check(crc32c);
}

static void test_crc32c_portable(void **state)
{
	(void)state;
	check(crc32c_portable);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crc32c),
		cmocka_unit_test(test_crc32c_portable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
