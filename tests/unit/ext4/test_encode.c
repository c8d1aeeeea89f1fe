/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tools of e2fsprogs cannot tell, or only with images too large for every test run: the
 * upper halves of split fields, times past 2038, records that are filled to the end.
 */
#include "tools.h"

#include "base/bytes.h"
#include "ext4/directory.h"
#include "ext4/encode.h"
#include "ext4/journal.h"

static void test_group_halves(void **state)
{
	struct ext4_group desc = {
		.block_bitmap = 0x0000111122223333,
		.inode_bitmap = 0x0000444455556666,
		.inode_table = 0x0000777788889999,
		.free_blocks = 0x00018000,
		.free_inodes = 0x00028001,
		.used_directories = 0x00030004,
		.unused_inodes = 0x00050006,
		.flags = 7,
		.block_bitmap_checksum = 0xaaaabbbb,
		.inode_bitmap_checksum = 0xccccdddd,
	};
	uint8_t out[EXT4_DESC_SIZE];

	(void)state;
	ext4_encode_group(out, &desc, 1, 2);
	assert_int_equal(get_le32(out), 0x22223333);
	assert_int_equal(get_le32(out + 32), 0x1111);
	assert_int_equal(get_le32(out + 4), 0x55556666);
	assert_int_equal(get_le32(out + 36), 0x4444);
	assert_int_equal(get_le32(out + 8), 0x88889999);
	assert_int_equal(get_le32(out + 40), 0x7777);
	assert_int_equal(get_le16(out + 12), 0x8000);
	assert_int_equal(get_le16(out + 44), 1);
	assert_int_equal(get_le16(out + 14), 0x8001);
	assert_int_equal(get_le16(out + 46), 2);
	assert_int_equal(get_le16(out + 16), 4);
	assert_int_equal(get_le16(out + 48), 3);
	assert_int_equal(get_le16(out + 18), 7);
	assert_int_equal(get_le16(out + 24), 0xbbbb);
	assert_int_equal(get_le16(out + 56), 0xaaaa);
	assert_int_equal(get_le16(out + 26), 0xdddd);
	assert_int_equal(get_le16(out + 58), 0xcccc);
	assert_int_equal(get_le16(out + 28), 6);
	assert_int_equal(get_le16(out + 50), 5);
}

static void test_extents(void **state)
{
	const struct ext4_extent extents[EXT4_INLINE_EXTENTS] = {
		{ 0, 32768, 0x123456789abc }, { 32768, 1, 5 }, { 32769, 2, 6 }, { 32771, 3, 7 }
	};
	uint8_t out[EXT4_I_BLOCK_SIZE];

	(void)state;
	ext4_encode_extents(out, extents, 4);
	assert_int_equal(get_le16(out), 0xf30a);
	assert_int_equal(get_le16(out + 2), 4);
	assert_int_equal(get_le16(out + 4), 4);
	assert_int_equal(get_le16(out + 12 + 4), 32768);
	assert_int_equal(get_le16(out + 12 + 6), 0x1234);
	assert_int_equal(get_le32(out + 12 + 8), 0x56789abc);
	assert_int_equal(get_le32(out + 48), 32771);
	assert_int_equal(get_le32(out + 48 + 8), 7);
}

static const struct {
	int64_t time;
	uint32_t low, extra;	  /* of an inode */
	uint32_t super_low, high; /* of the superblock */
} times[] = {
	{ 0, 0, 0, 0, 0 },
	{ 1, 1, 0, 1, 0 },
	{ -1, 0xffffffff, 0, 0, 0 },
	{ EXT4_TIME_MIN, 0x80000000, 0, 0, 0 },
	{ 0x7fffffff, 0x7fffffff, 0, 0x7fffffff, 0 },
	{ 0x80000000, 0x80000000, 1, 0x80000000, 0 },
	{ 0xffffffff, 0xffffffff, 1, 0xffffffff, 0 },
	{ 0x100000000, 0, 1, 0, 1 },
	{ 0x180000000, 0x80000000, 2, 0x80000000, 1 },
	{ EXT4_TIME_MAX, 0x7fffffff, 3, 0x7fffffff, 3 },
};

static void check_super_time(int64_t time, uint32_t low, uint32_t high)
{
	struct ext4_super super = { .time = time };
	uint8_t out[EXT4_SUPER_SIZE];

	ext4_encode_super(out, &super);
	assert_int_equal(get_le32(out + 0x30), low); /* written, checked, made */
	assert_int_equal(get_le32(out + 0x40), low);
	assert_int_equal(get_le32(out + 0x108), low);
	assert_int_equal(out[0x274], high);
	assert_int_equal(out[0x277], high);
	assert_int_equal(out[0x276], high);
	assert_int_equal(get_le32(out + 0x2c), 0); /* never mounted */
}

static void test_times(void **state)
{
	static const int lows[] = { 0x08, 0x0c, 0x10, 0x90 };
	static const int extras[] = { 0x8c, 0x84, 0x88, 0x94 };

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		struct ext4_inode inode = { .time = times[i].time };
		uint8_t out[EXT4_INODE_SIZE];

		ext4_encode_inode(out, &inode, 0, 1);
		for (int j = 0; j < 4; j++) {
			assert_int_equal(get_le32(out + lows[j]), times[i].low);
			assert_int_equal(get_le32(out + extras[j]), times[i].extra);
		}
		assert_int_equal(get_le32(out + 0x14), 0); /* i_dtime */
		check_super_time(times[i].time, times[i].super_low, times[i].high);
	}
}

static void test_super_halves(void **state)
{
	struct ext4_super super = {
		.blocks = 0x123456789a,
		.free_blocks = 0x0fedcba987,
		.group = 27,
		.label = { 's', 'i', 'x', 't', 'e', 'e', 'n', ' ', 'b', 'y', 't', 'e', 's', ' ',
			   'o', 'k' },
	};
	uint8_t out[EXT4_SUPER_SIZE];

	(void)state;
	ext4_encode_super(out, &super);
	assert_int_equal(get_le32(out + 0x4), 0x3456789a);
	assert_int_equal(get_le32(out + 0x150), 0x12);
	assert_int_equal(get_le32(out + 0xc), 0xedcba987);
	assert_int_equal(get_le32(out + 0x158), 0x0f);
	assert_int_equal(get_le16(out + 0x5a), 27);
	assert_memory_equal(out + 0x78, "sixteen bytes ok", 16);
}

static void test_directory(void **state)
{
	static const uint8_t hash_seed[16] = { 1 };
	struct ext4_directory directory = { .self = 2, .parent = 2 };
	struct mkrootfs_error error;
	uint8_t out[EXT4_BLOCK_SIZE];

	(void)state;
	memset(out, 0xff, sizeof(out));
	assert_int_equal(ext4_directory_add(&directory, 11, EXT4_FT_DIR, "abcde", 5, &error), 0);
	assert_int_equal(ext4_directory_plan(&directory, hash_seed, &error), 0);
	ext4_encode_directory(out, &directory, 0, 0);
	ext4_directory_free(&directory);
	assert_int_equal(get_le16(out + 4), 12);
	assert_int_equal(get_le16(out + 12 + 4), 12);
	assert_int_equal(get_le32(out + 24), 11);
	assert_int_equal(get_le16(out + 24 + 4), 4096 - 24 - 12);
	assert_memory_equal(out + 24 + 6, "\5\2abcde\0", 8);
	assert_int_equal(out[4084 + 7], 0xde);
	assert_int_equal(get_le16(out + 4084 + 4), 12);
}

/* Published by nobody: the journal is big-endian, and e2fsck may not look at all of it. */
static void test_journal(void **state)
{
	static const uint8_t uuid[16] = { 1, 2, 3 };
	uint8_t out[EXT4_BLOCK_SIZE];

	(void)state;
	ext4_encode_journal(out, 0x4000, uuid);
	assert_memory_equal(out, "\xc0\x3b\x39\x98\0\0\0\4\0\0\0\0\0\0\x10\0\0\0\x40\0", 20);
	assert_int_equal(get_be32(out + 0x1c), 0);
	assert_int_equal(get_be32(out + 0x28), 0x12);
	assert_memory_equal(out + 0x30, uuid, 16);
	for (size_t i = 0x100; i < sizeof(out); i++)
		assert_int_equal(out[i], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group_halves), cmocka_unit_test(test_extents),
		cmocka_unit_test(test_times),	     cmocka_unit_test(test_super_halves),
		cmocka_unit_test(test_directory),    cmocka_unit_test(test_journal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
