/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel is told about memory changes nothing of what is in it, nor beside it. */
#include "base/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const size_t sizes[] = { 1, 100, 4096, 300000, (2u << 20) - 1, 2u << 20, 5000001 };
#define COUNT (sizeof(sizes) / sizeof(*sizes))

static void buffers_can_be_written_to_their_ends(void **state)
{
	uint8_t *data[COUNT];

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		data[i] = pages_alloc(sizes[i]);
		assert_non_null(data[i]);
		memset(data[i], (int)i + 1, sizes[i]);
	}
	for (size_t i = 0; i < COUNT; i++) {
		assert_int_equal(data[i][0], i + 1);
		assert_int_equal(data[i][sizes[i] - 1], i + 1);
		free(data[i]);
	}
}

static void zeroed_is_zero(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		uint8_t *data = pages_zeroed(sizes[i], 3);

		assert_non_null(data);
		for (size_t j = 0; j < 3 * sizes[i]; j++)
			assert_int_equal(data[j], 0);
		free(data);
	}
}

static void what_grows_keeps_its_content(void **state)
{
	uint32_t *list = NULL;

	(void)state;
	for (uint32_t i = 0, room = 0; i < 3000000; i++) {
		if (i == room) {
			room = room ? 2 * room : 256;
			list = realloc(list, room * sizeof(*list));
			assert_non_null(list);
			pages_prefer_large(list, room * sizeof(*list));
		}
		list[i] = i;
	}
	for (uint32_t i = 0; i < 3000000; i++)
		if (list[i] != i)
			fail_msg("%u became %u", i, list[i]);
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffers_can_be_written_to_their_ends),
		cmocka_unit_test(zeroed_is_zero),
		cmocka_unit_test(what_grows_keeps_its_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
