/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that double: what is in them stays, of any type, and what no memory holds is refused. */
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct mkrootfs_error error;

struct item {
	uint64_t a;
	uint8_t b;
};

static void items_stay(void **state)
{
	struct item *items = NULL;
	size_t count = 0, room = 0;

	(void)state;
	while (count < 300000) {
		assert_int_equal(array_reserve(&items, &room, count, sizeof(*items), &error), 0);
		assert_true(room > count);
		assert_true(room <= 16 || room <= 2 * count);
		items[count] = (struct item){ count, (uint8_t)count };
		count++;
	}
	for (size_t i = 0; i < count; i++)
		if (items[i].a != i || items[i].b != (uint8_t)i)
			fail_msg("item %zu changed", i);
	free(items);
}

static void room_that_is_there_is_enough(void **state)
{
	char *bytes = NULL, *before;
	size_t room = 0;

	(void)state;
	assert_int_equal(array_reserve(&bytes, &room, 0, 1, &error), 0);
	before = bytes;
	for (size_t count = 0; count < room; count++)
		assert_int_equal(array_reserve(&bytes, &room, count, 1, &error), 0);
	assert_ptr_equal(bytes, before);
	free(bytes);
}

static void sizes_do_not_wrap(void **state)
{
	struct item *items = NULL;
	size_t room = SIZE_MAX / sizeof(*items);

	(void)state;
	assert_int_equal(array_reserve(&items, &room, room, sizeof(*items), &error),
			 MKROOTFS_ERROR_NO_MEMORY);
	assert_null(items);
	assert_int_equal(room, SIZE_MAX / sizeof(*items));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_stay),
		cmocka_unit_test(room_that_is_there_is_enough),
		cmocka_unit_test(sizes_do_not_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
