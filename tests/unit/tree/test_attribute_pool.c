/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes that inodes share: each number means what was added under it, few stand twice. */
#include "tree/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct mkrootfs_error error;

static struct tree_attributes make(uint32_t number)
{
	return (struct tree_attributes){ .mtime = number - 5, .uid = number % 3 };
}

static uint32_t add(struct attribute_pool *pool, struct tree_attributes attributes)
{
	uint32_t number;

	assert_int_equal(attribute_pool_add(pool, &number, &attributes, &error), 0);
	return number;
}

static void assert_is(const struct attribute_pool *pool, uint32_t number,
		      struct tree_attributes expected)
{
	const struct tree_attributes *found = &pool->list[number];

	assert_true(number < pool->count);
	assert_int_equal(found->mtime, expected.mtime);
	assert_int_equal(found->mtime_nsec, expected.mtime_nsec);
	assert_int_equal(found->uid, expected.uid);
	assert_int_equal(found->gid, expected.gid);
	assert_int_equal(found->xattrs, expected.xattrs);
}

static void zeros_are_number_0(void **state)
{
	struct attribute_pool pool;

	(void)state;
	assert_int_equal(attribute_pool_init(&pool, &error), 0);
	assert_int_equal(add(&pool, (struct tree_attributes){ 0 }), 0);
	assert_int_equal(pool.count, 1);
	attribute_pool_free(&pool);
}

/* What differs in one field alone is something else. */
static void every_field_counts(void **state)
{
	const struct tree_attributes all[] = {
		{ .mtime = 1 }, { .mtime = -1 }, { .mtime = INT64_MIN }, { .mtime_nsec = 1 },
		{ .uid = 1 },	{ .gid = 1 },	 { .xattrs = 1 },
	};
	const uint32_t count = sizeof(all) / sizeof(*all);
	struct attribute_pool pool;

	(void)state;
	assert_int_equal(attribute_pool_init(&pool, &error), 0);
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < count; i++)
			assert_is(&pool, add(&pool, all[i]), all[i]);
	assert_true(pool.count <= 2 * count + 1);
	attribute_pool_free(&pool);
}

/* Far more than the table that finds them has places for; then the first ones again. */
static void many_are_kept(void **state)
{
	const uint32_t count = 20000;
	uint32_t numbers[20000];
	struct attribute_pool pool;

	(void)state;
	assert_int_equal(attribute_pool_init(&pool, &error), 0);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = add(&pool, make(i));
	for (uint32_t i = 0; i < count; i++)
		assert_is(&pool, numbers[i], make(i));
	assert_is(&pool, add(&pool, make(7)), make(7));
	attribute_pool_clear(&pool);
	assert_int_equal(pool.count, 1);
	assert_is(&pool, add(&pool, make(7)), make(7));
	attribute_pool_free(&pool);
}

/* A thousand times in turn take the room of a few thousand, not of each inode. */
static void what_comes_again_is_found(void **state)
{
	struct attribute_pool pool;

	(void)state;
	assert_int_equal(attribute_pool_init(&pool, &error), 0);
	for (uint32_t i = 0; i < 100000; i++)
		add(&pool, make(i * 7919 % 1000));
	assert_in_range(pool.count, 1000, 30000);
	attribute_pool_free(&pool);
}

/* An inode of one tree takes owner and time of another's, and keeps its xattrs. */
static void copies_between_trees(void **state)
{
	const struct tree_attributes theirs = {
		.mtime = 9, .mtime_nsec = 8, .uid = 7, .gid = 6, .xattrs = 5
	};
	struct tree_inode from = { .mode = S_IFREG | 0750 }, to = { .mode = S_IFREG | 0644 };
	struct tree_inode link = { .mode = S_IFLNK | 0777 };
	struct tree *a, *b;

	(void)state;
	assert_int_equal(tree_create(&a, &error), 0);
	assert_int_equal(tree_create(&b, &error), 0);
	assert_int_equal(tree_set_attributes(a, &from, &theirs, &error), 0);
	assert_int_equal(tree_set_xattrs(b, &to, 3, &error), 0);
	assert_int_equal(tree_copy_attributes(b, &to, a, &from, &error), 0);
	assert_int_equal(tree_copy_attributes(b, &link, a, &from, &error), 0);
	assert_int_equal(to.mode, S_IFREG | 0750);
	assert_int_equal(link.mode, S_IFLNK | 0777);
	assert_is(&b->attributes, to.attributes, (struct tree_attributes){ 9, 8, 7, 6, 3 });
	assert_is(&b->attributes, link.attributes, (struct tree_attributes){ 9, 8, 7, 6, 0 });
	tree_free(a);
	tree_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeros_are_number_0),	cmocka_unit_test(every_field_counts),
		cmocka_unit_test(many_are_kept),	cmocka_unit_test(what_comes_again_is_found),
		cmocka_unit_test(copies_between_trees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
