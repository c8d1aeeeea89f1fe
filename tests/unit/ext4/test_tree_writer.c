/* SPDX-License-Identifier: Apache-2.0 */
/* Whole trees as ext4: what no archive of a test would have, judged by e2fsck and debugfs. */
#include "tools.h"

#include "base/bytes.h"
#include "ext4/acl.h"
#include "ext4/extent_tree.h"
#include "ext4/frame.h"
#include "ext4/name_hash.h"
#include "ext4/tree_writer.h"

static struct mkrootfs_error error;

/* ---- Trees ---- */

static struct tree *new_tree(void)
{
	struct tree *tree;

	assert_int_equal(tree_create(&tree, &error), 0);
	return tree;
}

static uint32_t add_inode(struct tree *tree, struct tree_inode made)
{
	uint32_t inode;

	assert_int_equal(tree_new_inode(tree, &inode, &made, &error), 0);
	return inode;
}

static uint32_t put(struct tree *tree, uint32_t parent, const char *name, uint32_t inode)
{
	uint32_t node;

	assert_int_equal(tree_put(tree, &node, parent, name, strlen(name), inode, &error), 0);
	return node;
}

static int no_data(void *user, struct ext4_place *place, uint64_t address, struct mkrootfs_error *e)
{
	(void)user;
	(void)place;
	(void)address;
	(void)e;
	fail_msg("no file has data");
	return -1;
}

static int write_tree_to(const char *path, struct tree *tree, const struct ext4_contents *contents,
			 uint64_t size)
{
	struct ext4_options options = test_options(size);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), status;
	struct image_file *file;

	assert_true(fd >= 0);
	assert_int_equal(tree_seal(tree, &error), 0);
	assert_int_equal(image_file_borrow(&file, fd, &error), 0);
	status = ext4_write_tree(file, tree, contents, &options, &error);
	if (status == 0)
		assert_int_equal(image_file_commit(file, NULL, IMAGE_FILE_NO_SYNC, &error), 0);
	image_file_close(file);
	close(fd);
	tree_free(tree);
	return status;
}

static int write_tree(const char *path, struct tree *tree, uint64_t size)
{
	const struct ext4_contents contents = { .find = no_data };

	return write_tree_to(path, tree, &contents, size);
}

/* ---- Names ---- */

static void test_hash(void **state)
{
	static const char *const names[] = { "a",
					     "ab",
					     "abcd",
					     "name-000123",
					     "\xc3\xa4\xff",
					     "thirty-two bytes are one round..",
					     "thirty-three bytes are two rounds" };
	struct ext4_options options = test_options(MIB);
	uint8_t seed[16];

	(void)state;
	need(have_tool("debugfs"), "no debugfs");
	ext4_hash_seed(seed, options.uuid);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct ext4_name_hash hash = ext4_hash_name(names[i], strlen(names[i]), seed);
		char uuid[40], request[200], expected[64];

		snprintf(uuid, sizeof(uuid),
			 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
			 seed[0], seed[1], seed[2], seed[3], seed[4], seed[5], seed[6], seed[7],
			 seed[8], seed[9], seed[10], seed[11], seed[12], seed[13], seed[14],
			 seed[15]);
		snprintf(request, sizeof(request), "dx_hash -h half_md4 -s %s \"%s\"", uuid,
			 names[i]);
		snprintf(expected, sizeof(expected), "0x%08x (minor 0x%08x)", hash.major,
			 hash.minor);
		run_ok("debugfs", "-R", request);
		assert_output_has(expected);
	}
}

#define NAME_LEN 12u
#define PER_LEAF 163u /* names of 12 bytes: records of 20, in 3,264 bytes */

struct hashed {
	uint32_t hash;
	uint32_t number;
};

static int compare_hashes(const void *a, const void *b)
{
	const struct hashed *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static void name_of(char name[NAME_LEN + 1], uint32_t number)
{
	snprintf(name, NAME_LEN + 1, "name%08u", number);
}

/*
 * Of many names two that share a hash, with the right number of names before them: so the two stand
 * on both sides of the border between two leaves.
 */
static void test_equal_hashes_in_two_leaves(void **state)
{
	const uint32_t count = 400000;
	struct ext4_options options = test_options(64 * MIB);
	struct hashed *list = calloc(count, sizeof(*list));
	struct tree *tree = new_tree();
	uint32_t folder = put(tree, TREE_ROOT, "d",
			      add_inode(tree, (struct tree_inode){ .mode = S_IFDIR | 0755 }));
	uint32_t file = add_inode(tree, (struct tree_inode){ .mode = S_IFREG | 0644 }), pair;
	char name[NAME_LEN + 1], expected[64];
	uint8_t seed[16];

	(void)state;
	need(have_tool("e2fsck") && have_tool("debugfs"), "no e2fsprogs");
	assert_non_null(list);
	ext4_hash_seed(seed, options.uuid);
	for (uint32_t i = 0; i < count; i++) {
		name_of(name, i);
		list[i] = (struct hashed){ ext4_hash_name(name, NAME_LEN, seed).major, i };
	}
	qsort(list, count, sizeof(*list), compare_hashes);
	for (pair = 4 * PER_LEAF; pair + 1 < count; pair++)
		if (list[pair].hash == list[pair + 1].hash)
			break;
	assert_true(pair + 1 < count);
	for (uint32_t i = pair - 3 * PER_LEAF + 1; i < pair + 2 + 2 * PER_LEAF && i < count; i++) {
		name_of(name, list[i].number);
		put(tree, folder, name, file);
	}
	assert_int_equal(write_tree("collision.ext4", tree, 64 * MIB), 0);
	assert_clean("collision.ext4");
	/* The last name of the third leaf and the first of the fourth. */
	snprintf(expected, sizeof(expected), "Entry #3: Hash 0x%08x", list[pair].hash | 1);
	run_ok("debugfs", "-R", "htree_dump /d", "collision.ext4");
	assert_output_has(expected);
	free(list);
}

/* ---- Limits ---- */

static void test_most_names_of_a_file(void **state)
{
	(void)state;
	for (uint32_t names = 65000; names <= 65001; names++) {
		struct tree *tree = new_tree();
		uint32_t file = add_inode(tree, (struct tree_inode){ .mode = S_IFREG | 0644 });
		char name[16];

		for (uint32_t i = 0; i < names; i++) {
			snprintf(name, sizeof(name), "n%u", i);
			put(tree, TREE_ROOT, name, file);
		}
		if (names == 65000) {
			assert_int_equal(write_tree("links.ext4", tree, 64 * MIB), 0);
			assert_clean("links.ext4");
			continue;
		}
		assert_int_equal(write_tree("links.ext4", tree, 64 * MIB),
				 MKROOTFS_ERROR_UNSUPPORTED);
		assert_string_equal(
			error.message,
			"file '/n0': it has 65001 names: ext4 has at most 65000 of one file");
	}
}

static void set_xattr(struct tree *tree, struct tree_inode *inode, const struct xattr_entry *xattr)
{
	uint32_t set;

	assert_int_equal(xattr_pool_add(&tree->xattrs, &set, xattr, 1, &error), 0);
	assert_int_equal(tree_set_xattrs(tree, inode, set, &error), 0);
}

static int write_one(struct tree_inode made, const struct xattr_entry *xattr)
{
	struct tree *tree = new_tree();

	if (xattr)
		set_xattr(tree, &made, xattr);
	put(tree, TREE_ROOT, "x", add_inode(tree, made));
	return write_tree("one.ext4", tree, 16 * MIB);
}

static void test_what_ext4_cannot_hold(void **state)
{
	static const uint8_t bytes[5000];
	const struct xattr_entry large = { "user.large", 10, bytes, sizeof(bytes) },
				 other = { "com.other", 9, bytes, 1 },
				 acl = { "system.posix_acl_access", 23, bytes, 5 };
	const struct tree_inode file = { .mode = S_IFREG | 0644 };

	(void)state;
	assert_int_equal(write_one(file, &large), MKROOTFS_ERROR_UNSUPPORTED);
	assert_non_null(strstr(error.message, "file '/x': its extended attributes do not fit"));
	assert_int_equal(write_one(file, &other), MKROOTFS_ERROR_UNSUPPORTED);
	assert_non_null(strstr(error.message, "file '/x': extended attribute 'com.other': "));
	assert_int_equal(write_one(file, &acl), MKROOTFS_ERROR_UNSUPPORTED);
	assert_non_null(strstr(error.message, "no POSIX ACL"));
	assert_int_equal(
		write_one((struct tree_inode){ .mode = S_IFREG, .size = UINT64_C(1) << 44 }, NULL),
		MKROOTFS_ERROR_UNSUPPORTED);
	assert_int_equal(write_one((struct tree_inode){ .mode = S_IFCHR,
							.data = tree_device(4095, 1048575) },
				   NULL),
			 0);
	assert_clean("one.ext4");
}

/* ---- Shared blocks of xattrs ---- */

static void test_blocks_of_xattrs_have_1024_users_at_most(void **state)
{
	static const uint8_t value[300] = { 1 };
	const struct xattr_entry xattr = { "user.\xc3\xa4", 7, value, sizeof(value) };
	struct tree *tree = new_tree();
	struct tree_inode made = { .mode = S_IFREG | 0644 };

	(void)state;
	set_xattr(tree, &made, &xattr);
	for (int i = 0; i < 2500; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%d", i);
		put(tree, TREE_ROOT, name, add_inode(tree, made));
	}
	assert_int_equal(write_tree("users.ext4", tree, 64 * MIB), 0);
	assert_clean("users.ext4");
}

/* ---- Data that are not padded, at odd offsets, of two places ---- */

static int two_places(void *user, struct ext4_place *place, uint64_t address,
		      struct mkrootfs_error *e)
{
	(void)e;
	place->fd = *(int *)user;
	place->offset = 100 + address;
	place->left = address < 5000 ? 5000 - address : 100000;
	return 0;
}

static void test_tails_are_zeros(void **state)
{
	int fd = memfd_create("data", MFD_CLOEXEC);
	const struct ext4_contents contents = { .find = two_places, .user = &fd };
	struct tree *tree = new_tree();
	uint8_t bytes[40000], read_back[40000];

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(1 + i % 251);
	assert_int_equal(pwrite(fd, bytes, sizeof(bytes), 0), sizeof(bytes));
	for (uint32_t i = 0; i < 3; i++) {
		char name[2] = { (char)('a' + i), 0 };

		put(tree, TREE_ROOT, name,
		    add_inode(tree, (struct tree_inode){ .mode = S_IFREG | 0644,
							 .size = 4097 + i,
							 .data = 2 * (i % 2) }));
	}
	assert_int_equal(write_tree_to("tails.ext4", tree, &contents, 16 * MIB), 0);
	close(fd);
	if (!have_tool("debugfs"))
		return;
	assert_clean("tails.ext4");
	run_ok("debugfs", "-R", "dump /b b.out", "tails.ext4");
	fd = open("b.out", O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, read_back, sizeof(read_back)), 4098);
	close(fd);
	assert_memory_equal(read_back, bytes + 100 + 8192, 4098);
	run_ok("sh", "-c",
	       "block=$(debugfs -R 'bmap /a 1' tails.ext4 2>/dev/null) && "
	       "dd if=tails.ext4 bs=4096 skip=$block count=1 2>/dev/null | tail -c 4095 | "
	       "tr -d '\\0' | wc -c | grep -qx 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_equal_hashes_in_two_leaves),
		cmocka_unit_test(test_most_names_of_a_file),
		cmocka_unit_test(test_what_ext4_cannot_hold),
		cmocka_unit_test(test_blocks_of_xattrs_have_1024_users_at_most),
		cmocka_unit_test(test_tails_are_zeros),
	};

	return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
