/* SPDX-License-Identifier: Apache-2.0 */
/* Images with each byte changed, and images cut short, through all questions of a reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tree_visit.h"

#define IMAGES FIXTURES "/../tests/fuzz/corpus/erofs/"

static const struct {
	const char *name;
	size_t names; /* that a sound one has, on the way of the visit */
} images[] = {
	{ IMAGES "hello-layer-1", 4 }, { IMAGES "hello-layer-3", 4 }, { IMAGES "hello-fsmeta", 8 },
	{ IMAGES "mkfs-chunks", 3 },   { IMAGES "mkfs-inline", 3 },
};

static uint8_t bytes[1 << 17];

static size_t load(const char *name)
{
	FILE *file = fopen(name, "rb");
	size_t size;

	assert_non_null(file);
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	assert_true(size >= EROFS_BLOCK_SIZE && size < sizeof(bytes));
	return size;
}

static void sound_images_are_seen(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++)
		assert_true(tree_visit_image(bytes, load(images[i].name)) >= images[i].names);
}

static void no_changed_byte_does_harm(void **state)
{
	static const uint8_t changes[] = { 0x01, 0x80, 0xff };

	(void)state;
	for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
		size_t size = load(images[i].name);

		for (size_t at = 0; at < size; at++) {
			uint8_t before = bytes[at];

			/* Long runs of zeros are data or padding: a few of them will do. */
			if (before == 0 && at % 61)
				continue;
			bytes[at] ^= changes[at % 3];
			tree_visit_image(bytes, size);
			bytes[at] = before;
		}
	}
}

static void no_cut_does_harm(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
		size_t size = load(images[i].name);

		for (size_t cut = EROFS_BLOCK_SIZE; cut < size; cut += 1021)
			tree_visit_image(bytes, cut);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_images_are_seen),
		cmocka_unit_test(no_changed_byte_does_harm),
		cmocka_unit_test(no_cut_does_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
