/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever engine this processor gets, and however the bytes were cut: one hash. */
#include "erofs/xxh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define BYTES 200000

static uint64_t in_pieces(const uint8_t *bytes, size_t len, size_t piece)
{
	struct mkrootfs_error error;
	struct xxh3 *hash;
	uint64_t result;

	assert_int_equal(xxh3_create(&hash, &error), 0);
	xxh3_reset(hash);
	xxh3_update(hash, bytes, len); /* forgotten */
	xxh3_reset(hash);
	for (size_t at = 0; at < len; at += piece)
		xxh3_update(hash, bytes + at, len - at < piece ? len - at : piece);
	result = xxh3_digest(hash);
	xxh3_free(hash);
	return result;
}

/* The value of nothing is xxHash's own; the others are those of one call, which has no engines. */
static void hashes_are_those_of_one_call(void **state)
{
	static const size_t lens[] = { 1, 16, 240, 241, 255, 256, 257, 1024, 4096, 65537, BYTES };
	static const size_t pieces[] = { 1, 63, 64, 4096, BYTES };
	uint8_t *bytes = malloc(BYTES);

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)(i * 2654435761u >> 13);
	assert_true(in_pieces(bytes, 0, 1) == 0x2d06800538d394c2u);
	for (size_t i = 0; i < sizeof(lens) / sizeof(*lens); i++)
		for (size_t j = 0; j < sizeof(pieces) / sizeof(*pieces); j++)
			assert_true(in_pieces(bytes, lens[i], pieces[j]) ==
				    xxh3_64(bytes, lens[i], 0));
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_are_those_of_one_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
