/* SPDX-License-Identifier: Apache-2.0 */
/* Which layers are merged while others are in work, in whatever order they come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rootfs/early_merge.h"
#include "rootfs/identity.h"
#include "tree/layer_tree.h"

#include <stdio.h>
#include <string.h>

#define LAYERS 4
#define BLOCKS(layer) (10u + (uint32_t)(layer)) /* of the image of a layer */

static struct mkrootfs_error error;
static struct digest diff_ids[LAYERS];
static struct stack_image images[LAYERS];
static size_t order[LAYERS];
static struct stack stack;
static struct events events;
static char told[4][200];
static size_t told_count;

static void check(int status)
{
	if (status != 0)
		fail_msg("%s", error.message);
}

static int listen(void *user, const struct mkrootfs_event *event)
{
	(void)user;
	if (event->kind == MKROOTFS_EVENT_WARNING && told_count < 4)
		snprintf(told[told_count++], sizeof(told[0]), "%u %s", event->layer_index,
			 event->text);
	return 0;
}

/* The stack of images as stack_open finds them; where[i] is the image of layer i. */
static void set_stack(const size_t where[LAYERS])
{
	stack = (struct stack){ .distinct = images, .order = order, .count = LAYERS };
	for (size_t i = 0; i < LAYERS; i++) {
		diff_ids[i] = (struct digest){ .algorithm = DIGEST_SHA256 };
		diff_ids[i].bytes[0] = (uint8_t)where[i];
		order[i] = where[i];
		if (where[i] < stack.distinct_count)
			continue;
		images[where[i]] = (struct stack_image){ .blocks = BLOCKS(where[i]),
							 .first_block = stack.blocks };
		check(identity_of_layer(images[where[i]].uuid, &diff_ids[i], &error));
		stack.blocks += BLOCKS(where[i]);
		stack.distinct_count++;
	}
	events = (struct events){ .fn = listen };
	told_count = 0;
}

static void add(struct layer_tree *layer, const char *path, mode_t mode, const char *target)
{
	struct tree_inode inode = { .mode = (uint16_t)mode };

	if (S_ISREG(mode)) {
		inode.size = 1;
		inode.data = 5;
	}
	if (target)
		check(tree_new_string(layer->tree, &inode.data, target, strlen(target), &error));
	check(layer_tree_add(layer, path, &inode, &error));
}

static void finish(struct made_layer *made, struct layer_tree *layer, size_t number)
{
	check(layer_tree_finish(layer, &error));
	*made = (struct made_layer){ layer->tree, BLOCKS(number) };
	layer->tree = NULL;
	layer_tree_free(layer);
}

/* Layer N has a file N, and the directory d, which is a symbolic link in layer 0. */
static struct made_layer make(size_t number)
{
	struct made_layer made;
	struct layer_tree *layer;
	char name[16];

	check(layer_tree_create(&layer, 100, &error));
	snprintf(name, sizeof(name), "%zu", number);
	add(layer, name, S_IFREG | 0644, NULL);
	if (number == 0)
		add(layer, "d", S_IFLNK | 0777, "0");
	else
		add(layer, "d", S_IFDIR | 0755, NULL);
	finish(&made, layer, number);
	return made;
}

static void give(struct early_merge *merge, size_t layer)
{
	struct made_layer made = make(layer);

	early_merge_give(merge, layer, &made);
	assert_null(made.tree);
}

/* What a file's address says of where its layer is on the disk. */
static void expect_file(const struct tree *tree, size_t layer, uint64_t first_block)
{
	char name[16];
	uint32_t node;

	snprintf(name, sizeof(name), "%zu", layer);
	node = tree_lookup(tree, TREE_ROOT, name, strlen(name));
	assert_int_not_equal(node, 0);
	assert_int_equal(tree_inode_of(tree, node)->data, 5 + first_block);
}

static const size_t all_distinct[LAYERS] = { 0, 1, 2, 3 };

/* Layers in the order in which they come; how many are merged then, and which still waits. */
static const struct {
	const char *given;
	size_t merged;
	const char *waiting;
} cases[] = {
	{ "", 0, "" },	    { "0", 1, "" },    { "0123", 4, "" },
	{ "3210", 4, "" },  { "1032", 4, "" }, { "13", 0, "13" },
	{ "203", 1, "23" }, { "0312", 4, "" }, { "013", 2, "3" },
};

static void run(const char *given, size_t merged, const char *waiting)
{
	struct early_merge *merge;
	struct tree *tree, *waits;

	set_stack(all_distinct);
	check(early_merge_open(&merge, diff_ids, LAYERS, &error));
	for (const char *layer = given; *layer; layer++)
		give(merge, (size_t)(*layer - '0'));
	assert_int_equal(early_merge_take(&tree, merge, &stack, &events), merged);
	assert_int_equal(tree != NULL, merged > 0);
	for (size_t i = 0; i < merged; i++)
		expect_file(tree, i, images[i].first_block);
	tree_free(tree);
	for (size_t i = merged; i < LAYERS; i++) {
		waits = early_merge_waiting(merge, i);
		assert_int_equal(waits != NULL, strchr(waiting, (int)('0' + i)) != NULL);
		tree_free(waits);
	}
	early_merge_free(merge);
}

static void layers_come_in_any_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run(cases[i].given, cases[i].merged, cases[i].waiting);
}

static void what_was_not_taken_is_freed(void **state)
{
	struct early_merge *merge;

	(void)state;
	set_stack(all_distinct);
	check(early_merge_open(&merge, diff_ids, LAYERS, &error));
	give(merge, 0);
	give(merge, 2);
	early_merge_free(merge);
	early_merge_free(NULL);
	give(NULL, 1);
}

static void nothing_is_kept_after_a_stop(void **state)
{
	struct early_merge *merge;
	struct tree *tree;

	(void)state;
	set_stack(all_distinct);
	check(early_merge_open(&merge, diff_ids, LAYERS, &error));
	give(merge, 0);
	give(merge, 2);
	early_merge_stop(merge);
	give(merge, 1);
	give(merge, 3);
	assert_int_equal(early_merge_take(&tree, merge, &stack, &events), 0);
	assert_null(tree);
	for (size_t i = 0; i < LAYERS; i++)
		assert_null(early_merge_waiting(merge, i));
	early_merge_free(merge);
	early_merge_stop(NULL);
}

static void warnings_are_told_when_the_tree_is_taken(void **state)
{
	struct early_merge *merge;
	struct tree *tree;

	(void)state;
	set_stack(all_distinct);
	check(early_merge_open(&merge, diff_ids, LAYERS, &error));
	give(merge, 2);
	give(merge, 0);
	give(merge, 1);
	assert_int_equal(told_count, 0);
	assert_int_equal(early_merge_take(&tree, merge, &stack, &events), 3);
	assert_int_equal(told_count, 1);
	assert_string_equal(told[0], "1 'd': a directory hides the symbolic link of a lower layer");
	tree_free(tree);
	early_merge_free(merge);
}

/* Layers 0 and 2 are one image: its files are where the first of them is. */
static void an_image_that_comes_twice_is_on_the_disk_once(void **state)
{
	static const size_t where[LAYERS] = { 0, 1, 0, 2 };
	struct early_merge *merge;
	struct made_layer made;
	struct tree *tree;

	(void)state;
	set_stack(where);
	check(early_merge_open(&merge, diff_ids, LAYERS, &error));
	give(merge, 0);
	give(merge, 1);
	made = make(2);
	made.blocks = BLOCKS(0);
	early_merge_give(merge, 2, &made);
	made = make(3);
	made.blocks = BLOCKS(2);
	early_merge_give(merge, 3, &made);
	assert_int_equal(early_merge_take(&tree, merge, &stack, &events), 4);
	expect_file(tree, 1, BLOCKS(0));
	expect_file(tree, 2, 0);
	expect_file(tree, 3, BLOCKS(0) + BLOCKS(1));
	tree_free(tree);
	early_merge_free(merge);
}

/* Another file came to stand in the store: then all are read. */
static void the_stack_must_be_of_the_same_images(void **state)
{
	(void)state;
	for (int change = 0; change < 3; change++) {
		struct early_merge *merge;
		struct tree *tree;

		set_stack(all_distinct);
		check(early_merge_open(&merge, diff_ids, LAYERS, &error));
		give(merge, 0);
		give(merge, 1);
		give(merge, 3);
		if (change == 0)
			images[1].blocks++;
		else if (change == 1)
			images[3].uuid[0] ^= 1;
		else
			stack.count--;
		assert_int_equal(early_merge_take(&tree, merge, &stack, &events), 0);
		assert_null(tree);
		assert_null(early_merge_waiting(merge, 3));
		early_merge_free(merge);
	}
}

/* A hard link whose target is in no layer: who reads the layers says so. */
static void what_cannot_be_merged_is_left_to_the_reader(void **state)
{
	(void)state;
	for (size_t number = 0; number < 2; number++) {
		const struct tree_inode link = { .mode = S_IFREG | 0644 };
		struct early_merge *merge;
		struct layer_tree *layer;
		struct made_layer made;
		struct tree *tree;

		set_stack(all_distinct);
		check(early_merge_open(&merge, diff_ids, LAYERS, &error));
		if (number > 0)
			give(merge, 0);
		check(layer_tree_create(&layer, 100, &error));
		check(layer_tree_link(layer, "l", "nothing", &link, &error));
		finish(&made, layer, number);
		give(merge, 3);
		early_merge_give(merge, number, &made);
		give(merge, 2);
		assert_int_equal(early_merge_take(&tree, merge, &stack, &events), 0);
		assert_null(tree);
		early_merge_free(merge);
	}
}

/* A tree of few inodes with 16 MiB of attributes must not wait; when it is its turn, it need not.
 */
static void what_takes_much_memory_does_not_wait(void **state)
{
	static uint8_t value[XATTR_VALUE_MAX_BYTES];

	(void)state;
	for (size_t number = 0; number < 2; number++) {
		struct early_merge *merge;
		struct made_layer made = make(number);
		struct tree *tree;
		uint32_t set;

		set_stack(all_distinct);
		check(early_merge_open(&merge, diff_ids, LAYERS, &error));
		for (uint16_t i = 0; i < 256; i++) {
			const struct xattr_entry entry = { "user.x", 6, value, sizeof(value) };

			memcpy(value, &i, sizeof(i));
			check(xattr_pool_add(&made.tree->xattrs, &set, &entry, 1, &error));
		}
		early_merge_give(merge, number, &made);
		give(merge, 2);
		if (number > 0)
			give(merge, 0);
		assert_int_equal(early_merge_take(&tree, merge, &stack, &events), 1);
		tree_free(tree);
		tree = early_merge_waiting(merge, 2);
		assert_non_null(tree);
		tree_free(tree);
		early_merge_free(merge);
	}
}

/* More warnings than are kept: they will be told by who reads the layers. */
static void many_warnings_are_left_to_the_reader(void **state)
{
	struct early_merge *merge;
	struct made_layer made[2];
	struct tree *tree;

	(void)state;
	set_stack(all_distinct);
	check(early_merge_open(&merge, diff_ids, LAYERS, &error));
	for (size_t number = 0; number < 2; number++) {
		struct layer_tree *layer;

		check(layer_tree_create(&layer, 100, &error));
		for (int i = 0; i < 2000; i++) {
			char name[32];

			snprintf(name, sizeof(name), "name-%d", i);
			add(layer, name, number ? S_IFDIR | 0755 : S_IFLNK | 0777,
			    number ? NULL : "x");
		}
		finish(&made[number], layer, number);
		early_merge_give(merge, number, &made[number]);
	}
	assert_int_equal(early_merge_take(&tree, merge, &stack, &events), 0);
	assert_null(tree);
	assert_int_equal(told_count, 0);
	early_merge_free(merge);
}

static void *give_half(void *user)
{
	struct early_merge *merge = user;

	give(merge, 3);
	give(merge, 1);
	return NULL;
}

/* What a thread sanitizer looks at. */
static void threads_give_at_once(void **state)
{
	(void)state;
	set_stack(all_distinct);
	for (int i = 0; i < 200; i++) {
		struct early_merge *merge;
		struct tree *tree;
		pthread_t thread;

		check(early_merge_open(&merge, diff_ids, LAYERS, &error));
		assert_int_equal(pthread_create(&thread, NULL, give_half, merge), 0);
		give(merge, 2);
		give(merge, 0);
		pthread_join(thread, NULL);
		assert_int_equal(early_merge_take(&tree, merge, &stack, &events), LAYERS);
		for (size_t layer = 0; layer < LAYERS; layer++)
			expect_file(tree, layer, images[layer].first_block);
		tree_free(tree);
		early_merge_free(merge);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_come_in_any_order),
		cmocka_unit_test(what_was_not_taken_is_freed),
		cmocka_unit_test(nothing_is_kept_after_a_stop),
		cmocka_unit_test(warnings_are_told_when_the_tree_is_taken),
		cmocka_unit_test(an_image_that_comes_twice_is_on_the_disk_once),
		cmocka_unit_test(the_stack_must_be_of_the_same_images),
		cmocka_unit_test(what_cannot_be_merged_is_left_to_the_reader),
		cmocka_unit_test(what_takes_much_memory_does_not_wait),
		cmocka_unit_test(many_warnings_are_left_to_the_reader),
		cmocka_unit_test(threads_give_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
