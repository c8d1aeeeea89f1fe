/* SPDX-License-Identifier: Apache-2.0 */
#include "tools.h"

#include "ext4/bitmap.h"

/* ---- The choices, as a table ---- */

static const struct {
	uint64_t size, inode_ratio, journal_size;
	const char *
		plan; /* blocks, groups x inodes of each, groups a flex group, journal in extents */
} plans[] = {
	/* the smallest, and what is cut from a size */
	{ 8 * MIB, 0, 0, "2048, 1 x 512, flex 16, journal 1024 in 1" },
	{ 8 * MIB + 4095, 0, 0, "2048, 1 x 512, flex 16, journal 1024 in 1" },
	{ 8 * MIB + 4096, 0, 0, "2049, 1 x 528, flex 16, journal 1024 in 1" },
	/* a last group is left out below 2 + inode table + 50 blocks, + 2 for a superblock's copy
	 */
	{ 128 * MIB, 0, 0, "32768, 1 x 8192, flex 16, journal 4096 in 1" },
	{ 128 * MIB + 4096, 0, 0, "32768, 1 x 8208, flex 16, journal 4096 in 1" },
	{ 128 * MIB + 200 * 1024, 0, 0, "32768, 1 x 8208, flex 16, journal 4096 in 1" },
	{ (32768 + 312) * 4096, 0, 0, "32768, 1 x 8272, flex 16, journal 4096 in 1" },
	{ (32768 + 313) * 4096, 0, 0, "33081, 2 x 4144, flex 16, journal 4096 in 1" },
	{ (65536 + 395) * 4096, 0, 0, "65536, 2 x 8256, flex 16, journal 4096 in 1" },
	{ (65536 + 396) * 4096, 0, 0, "65932, 3 x 5504, flex 16, journal 4096 in 1" },
	/* journals by size */
	{ 128 * MIB - 4096, 0, 0, "32767, 1 x 8192, flex 16, journal 1024 in 1" },
	{ 1 * GIB - 4096, 0, 0, "262143, 8 x 8192, flex 16, journal 4096 in 1" },
	{ 1 * GIB, 0, 0, "262144, 8 x 8192, flex 16, journal 8192 in 1" },
	{ 2 * GIB, 0, 0, "524288, 16 x 8192, flex 16, journal 16384 in 1" },
	{ 10 * GIB, 0, 0, "2621440, 80 x 8192, flex 16, journal 16384 in 1" },
	{ 32 * TIB, 0, 0, "8589934592, 262144 x 8192, flex 16, journal 16384 in 1" },
	/* asked for */
	{ 1 * GIB, 0, 64 * MIB + 5, "262144, 8 x 8192, flex 16, journal 16384 in 1" },
	{ 1 * GIB, 0, 128 * MIB, "262144, 8 x 8192, flex 16, journal 32768 in 2" },
	{ 10 * GIB, 0, 256 * MIB, "2621440, 80 x 8192, flex 16, journal 65536 in 3" },
	{ 10 * GIB, 65536, 0, "2621440, 80 x 2048, flex 16, journal 16384 in 1" },
	{ 10 * GIB, 4096, 0, "2621440, 80 x 32768, flex 4, journal 16384 in 1" },
	{ 8 * MIB, 64 * MIB, 0, "2048, 1 x 16, flex 16, journal 1024 in 1" },
	{ 129 * MIB, 4096, 0, "32768, 1 x 32768, flex 4, journal 4096 in 1" },
};

static void check_plan(const struct ext4_options *options, const char *expected)
{
	struct mkrootfs_error error = { 0 };
	struct ext4_layout layout;
	char plan[128];

	assert_int_equal(ext4_layout_plan(&layout, options, &error), 0);
	assert_int_equal(layout.size, options->size / 4096 * 4096);
	snprintf(plan, sizeof(plan), "%llu, %u x %u, flex %u, journal %u in %u",
		 (unsigned long long)layout.blocks, layout.groups, layout.inodes_per_group,
		 1u << layout.flex_log, layout.journal_blocks, layout.journal_extents);
	assert_string_equal(plan, expected);
}

static void test_plans(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(plans) / sizeof(*plans); i++) {
		struct ext4_options options = test_options(plans[i].size);

		options.inode_ratio = plans[i].inode_ratio;
		options.journal_size = plans[i].journal_size;
		check_plan(&options, plans[i].plan);
	}
}

/* ---- Refusals ---- */

static void refuse(const struct ext4_options *options, const char *text)
{
	struct mkrootfs_error error = { 0 };
	struct ext4_layout layout, empty = { 0 };

	assert_int_equal(ext4_layout_plan(&layout, options, &error), MKROOTFS_ERROR_INVALID);
	assert_int_equal(error.status, MKROOTFS_ERROR_INVALID);
	if (!strstr(error.message, text))
		fail_msg("no '%s' in: %s", text, error.message);
	assert_memory_equal(&layout, &empty, sizeof(layout));
}

static void test_refuses_sizes(void **state)
{
	static const uint64_t sizes[] = {
		0, 1, 1024, MIB, 3 * MIB, 8 * MIB - 1, 32 * TIB + 1, UINT64_C(1) << 63, UINT64_MAX,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct ext4_options options = test_options(sizes[i]);

		refuse(&options, "must be from 8 MiB to 32 TiB");
	}
}

static void test_refuses_options(void **state)
{
	struct ext4_options options = test_options(64 * MIB);

	(void)state;
	options.inode_ratio = 4095;
	refuse(&options, "inode ratio of 4095 bytes: must be from 4 KiB to 64 MiB");
	options.inode_ratio = UINT64_MAX;
	refuse(&options, "inode ratio");
	options.inode_ratio = 4096;
	options.size = 32 * TIB;
	refuse(&options, "more than 4294967295 inodes");
	options = test_options(64 * MIB);
	options.journal_size = 4 * MIB - 1;
	refuse(&options, "journal size of 4194303 bytes: must be from 4 MiB to 32 MiB");
	options.journal_size = 32 * MIB + 1;
	refuse(&options, "journal size");
	options.size = 10 * GIB;
	options.journal_size = 256 * MIB + 1;
	refuse(&options, "must be from 4 MiB to 256 MiB");
	options = test_options(64 * MIB);
	options.max_size = 64 * MIB - 1;
	refuse(&options, "maximum size of 67108863 bytes: must be from 64 MiB to 16 TiB");
	options.max_size = 16 * TIB + 1;
	refuse(&options, "maximum size");
	options.max_size = 9 * TIB;
	refuse(&options, "can have a reserve up to 8804682956800 bytes");
	options.size = 8 * MIB;
	options.max_size = 8 * TIB;
	refuse(&options, "no room for the 1023 blocks that it reserves beside a journal of 1024");
	options.size = 9 * TIB;
	options.inode_ratio = 4096;
	options.max_size = 16 * TIB - 1;
	refuse(&options, "more than 4294967295 inodes");
	options = test_options(64 * MIB);
	options.root_ppm = EXT4_MAX_ROOT_PPM + 1;
	refuse(&options, "reserved for root: more than half");
	options = test_options(64 * MIB);
	options.time = EXT4_TIME_MAX + 1;
	refuse(&options, "time 15032385536");
	options.time = EXT4_TIME_MIN - 1;
	refuse(&options, "time -2147483649");
	options = test_options(64 * MIB);
	memset(options.label, 'x', sizeof(options.label));
	refuse(&options, "label");
	options = test_options(64 * MIB);
	memset(options.uuid, 0, sizeof(options.uuid));
	refuse(&options, "UUID");
}

/* ---- What holds for every layout ---- */

static uint32_t count_clear(const uint8_t *bitmap, uint32_t bits)
{
	uint32_t clear = 0;

	for (uint32_t bit = 0; bit < bits; bit++)
		clear += !(bitmap[bit / 8] >> bit % 8 & 1);
	return clear;
}

/* Marks [start, start + count) in a map of all blocks; each block may have one owner only. */
static void claim(uint8_t *map, uint64_t blocks, uint64_t start, uint64_t count)
{
	assert_true(start + count <= blocks);
	for (uint64_t i = start; i < start + count; i++) {
		assert_int_equal(map[i], 0);
		map[i] = 1;
	}
}

static void claim_group(uint8_t *map, const struct ext4_layout *layout, uint32_t group)
{
	struct ext4_group desc;

	ext4_layout_group(&desc, layout, group);
	if (ext4_layout_has_super(group))
		claim(map, layout->blocks, (uint64_t)group * EXT4_BLOCKS_PER_GROUP,
		      1 + layout->descriptor_blocks + layout->reserved_descriptor_blocks);
	claim(map, layout->blocks, desc.block_bitmap, 1);
	claim(map, layout->blocks, desc.inode_bitmap, 1);
	claim(map, layout->blocks, desc.inode_table, layout->table_blocks);
}

/* Every owner's blocks, told one by one, must be those that the bitmap of the group has. */
static void check_group(const uint8_t *map, const struct ext4_layout *layout, uint32_t group)
{
	uint32_t blocks = ext4_layout_group_blocks(layout, group);
	const uint8_t *owned = map + (uint64_t)group * EXT4_BLOCKS_PER_GROUP;
	uint8_t bitmap[EXT4_BLOCK_SIZE];
	struct ext4_group desc;

	ext4_layout_group(&desc, layout, group);
	ext4_bitmap_blocks(bitmap, layout, group, 0);
	for (uint32_t i = 0; i < EXT4_BLOCKS_PER_GROUP; i++)
		assert_int_equal(bitmap[i / 8] >> i % 8 & 1, i < blocks ? owned[i] : 1);
	assert_int_equal(count_clear(bitmap, blocks), desc.free_blocks);
	assert_true(desc.flags & EXT4_BG_INODE_ZEROED);
	assert_int_equal(!!(desc.flags & EXT4_BG_INODE_UNINIT), group > 0);
	if (desc.flags & EXT4_BG_BLOCK_UNINIT) /* only what a kernel derives by itself */
		assert_int_equal(blocks - desc.free_blocks,
				 ext4_layout_has_super(group)
					 ? 1 + layout->descriptor_blocks +
						   layout->reserved_descriptor_blocks
					 : 0);
}

static void check_layout(const struct ext4_layout *layout, const struct ext4_options *options)
{
	uint64_t free_blocks = 0, journal = 0, ratio = options->inode_ratio;
	uint8_t *map = calloc(1, layout->blocks), bitmap[EXT4_BLOCK_SIZE];
	struct ext4_group desc;

	assert_non_null(map);
	for (uint32_t group = 0; group < layout->groups; group++)
		claim_group(map, layout, group);
	if (layout->reserved_descriptor_blocks)
		claim(map, layout->blocks, ext4_layout_resize_block(layout), 1);
	for (uint32_t i = 0; i < layout->journal_extents; i++) {
		assert_int_equal(layout->journal[i].logical, journal);
		claim(map, layout->blocks, layout->journal[i].physical, layout->journal[i].count);
		journal += layout->journal[i].count;
	}
	assert_int_equal(journal, layout->journal_blocks);
	for (uint32_t group = 0; group < layout->groups; group++) {
		check_group(map, layout, group);
		ext4_layout_group(&desc, layout, group);
		free_blocks += desc.free_blocks;
	}
	assert_int_equal(free_blocks, ext4_layout_free_blocks(layout));
	ext4_bitmap_inodes(bitmap, layout, 13);
	assert_int_equal(count_clear(bitmap, 8 * EXT4_BLOCK_SIZE), layout->inodes_per_group - 13);
	if (layout->inodes_per_group < 8 * EXT4_BLOCK_SIZE)
		assert_true((uint64_t)layout->groups * layout->inodes_per_group >=
			    layout->size / ratio);
	free(map);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 20;
}

static void test_invariants(void **state)
{
	static const uint64_t ratios[] = { 4096, 8192, 16384, 16384, 65536, 1 << 20 };
	uint64_t random = 1;

	(void)state;
	for (int i = 0; i < 300; i++) {
		uint64_t size = 8 * MIB + next_random(&random) % ((UINT64_C(16) << i % 9) * MIB);
		struct ext4_options options = test_options(size);
		struct mkrootfs_error error = { 0 };
		struct ext4_layout layout;

		options.inode_ratio = ratios[next_random(&random) % 6];
		if (i % 4 == 1)
			options.max_size = size + next_random(&random) % (400 * GIB);
		if (i % 3 == 0 && size >= 16 * MIB)
			options.journal_size =
				4 * MIB + next_random(&random) % (size / 2 - 6 * MIB > 252 * MIB
									  ? 252 * MIB
									  : size / 2 - 6 * MIB);
		if (ext4_layout_plan(&layout, &options, &error) != 0)
			fail_msg("%s", error.message);
		check_layout(&layout, &options);
	}
}

static void test_sparse_super(void **state)
{
	static const uint32_t with[] = { 0, 1, 3, 5, 7, 9, 25, 27, 49, 81, 125, 243, 343 };
	size_t next = 0;

	(void)state;
	for (uint32_t group = 0; group <= 343; group++) {
		bool expected = next < sizeof(with) / sizeof(*with) && with[next] == group;

		assert_int_equal(ext4_layout_has_super(group), expected);
		if (expected && group > 0)
			assert_int_equal(ext4_layout_next_super(with[next - 1]), group);
		next += expected;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),		cmocka_unit_test(test_refuses_sizes),
		cmocka_unit_test(test_refuses_options), cmocka_unit_test(test_invariants),
		cmocka_unit_test(test_sparse_super),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
