/* SPDX-License-Identifier: Apache-2.0 */
/* Whole images, judged by e2fsck, dumpe2fs, debugfs and resize2fs. None of it needs root. */
#include "tools.h"

#include "base/digest.h"
#include "ext4/format.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define GROUP_SIZE (UINT64_C(128) * MIB)

static void check_options(const struct ext4_options *options)
{
	const char *image = "sweep.img";
	struct stat status;

	write_image(image, options);
	assert_int_equal(stat(image, &status), 0);
	assert_int_equal(status.st_size, options->size / 4096 * 4096);
	assert_clean(image);
}

static void check_size(uint64_t size)
{
	struct ext4_options options = test_options(size);

	check_options(&options);
}

static void test_every_mebibyte(void **state)
{
	(void)state;
	need(have_tool("e2fsck"), "no e2fsck");
	for (uint64_t size = 8; size <= 300; size++)
		check_size(size * MIB);
}

/* Around whole groups, those with a copy of the superblock and those without, and flex groups. */
static void test_group_boundaries(void **state)
{
	static const uint64_t groups[] = { 1, 2, 3, 4, 5, 9, 10, 16, 17, 25, 32, 33 };
	static const int64_t offsets[] = { -4096,   1,	     4096,    200 * 1024, 1 << 20,
					   2 << 20, 2154496, 2158592, 2162688,	  3 << 20 };

	(void)state;
	need(have_tool("e2fsck"), "no e2fsck");
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		for (size_t j = 0; j < sizeof(offsets) / sizeof(*offsets); j++)
			check_size(groups[i] * GROUP_SIZE + (uint64_t)offsets[j]);
}

/* The same with blocks for growth, and with the densest inodes, whose metadata is the largest. */
static void test_group_boundaries_with_a_reserve(void **state)
{
	static const uint64_t groups[] = { 1, 2, 3, 4, 10, 16, 17, 33 };
	static const int64_t offsets[] = { -4096, 0, 4096, 200 * 1024, 2 << 20, 3 << 20, 12 << 20 };

	(void)state;
	need(have_tool("e2fsck"), "no e2fsck");
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		for (size_t j = 0; j < sizeof(offsets) / sizeof(*offsets); j++) {
			struct ext4_options options =
				test_options(groups[i] * GROUP_SIZE + (uint64_t)offsets[j]);

			options.max_size = j % 2 ? 20 * GIB : 2 * TIB;
			options.inode_ratio = j % 3 ? 0 : 4096;
			options.journal_size = i % 2 ? 0 : 32 * MIB;
			check_options(&options);
		}
}

static void test_large_sizes(void **state)
{
	static const uint64_t sizes[] = {
		GIB, 4 * GIB - 4096, 4 * GIB, 4 * GIB + 4096, 8 * GIB + 1, 10 * GIB, 100 * GIB, TIB,
	};

	(void)state;
	need(have_tool("e2fsck"), "no e2fsck");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		check_size(sizes[i]);
}

/* Block numbers of more than 32 bits. tmpfs takes such files where ext4 itself refuses them. */
static void test_beyond_16_tib(void **state)
{
	struct ext4_options options = test_options(17 * TIB);
	const char *image = "17t.img";
	char shared[] = "/dev/shm/mkrootfs-ext4-XXXXXX";
	struct mkrootfs_error error = { 0 };
	int fd, status;

	(void)state;
	need(have_tool("e2fsck"), "no e2fsck");
	status = try_image(image, &options, &error);
	if (status == 0) {
		assert_clean(image);
		return;
	}
	fd = mkstemp(shared);
	need(fd >= 0, "this filesystem holds no file of 17 TiB, and there is no /dev/shm");
	close(fd);
	status = try_image(shared, &options, &error);
	if (status == 0)
		status = run_tool("e2fsck", "-fn", shared) == 0 ? 0 : 1;
	unlink(shared);
	need(status >= 0, "no filesystem here holds a file of 17 TiB");
	assert_int_equal(status, 0);
	assert_output_has("/4563402752 blocks");
}

static void test_options_are_clean(void **state)
{
	static const struct {
		uint64_t size, inode_ratio, journal_size;
		int64_t time;
		uint64_t max_size;
		uint32_t root_ppm;
	} cases[] = {
		{ 8 * MIB, 0, 0, 0, 8 * MIB, 500000 },
		{ 8 * MIB, 4096, 0, 0, TIB, 1 },
		{ 1 * GIB, 0, 0, 0, 8 * TIB, 50000 },
		{ 4 * GIB, 0, 256 * MIB, 0, 4 * GIB + 1, 0 },
		{ 40 * GIB, 1 << 20, 0, 0, 16 * GIB + 8 * TIB, 0 },
		{ 8 * MIB, 4096, 0, 0, 0, 0 },
		{ 9 * MIB, 64 * MIB, 0, -1, 0, 0 },
		{ 129 * MIB, 4096, 0, 1, 0, 0 },
		{ 512 * MIB, 4096, 256 * MIB, 0, 0, 0 },
		{ 2 * GIB, 8192, 100 * MIB, 0, 0, 0 },
		{ 4 * GIB, 65536, 4 * MIB, 0, 0, 0 },
		{ 20 * GIB, 4096, 256 * MIB, EXT4_TIME_MIN, 0, 0 },
	};

	(void)state;
	need(have_tool("e2fsck"), "no e2fsck");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ext4_options options = test_options(cases[i].size);
		const char *image = "options.img";

		options.inode_ratio = cases[i].inode_ratio;
		options.journal_size = cases[i].journal_size;
		options.time = cases[i].time;
		options.max_size = cases[i].max_size;
		options.root_ppm = cases[i].root_ppm;
		write_image(image, &options);
		assert_clean(image);
	}
}

static void test_superblock(void **state)
{
	static const char *const lines[] = {
		"Filesystem volume name:   upper\n",
		"Filesystem UUID:          10111213-1415-1617-1819-1a1b1c1d1e1f\n",
		"features:      has_journal ext_attr dir_index filetype extent 64bit flex_bg sp",
		"flex_bg sparse_super large_file huge_file dir_nlink extra_isize metadata_csum\n",
		"Filesystem flags:         signed_directory_hash",
		"Default mount options:    user_xattr acl\n",
		"Filesystem state:         clean\n",
		"Errors behavior:          Continue\n",
		"Inode count:              655360\n",
		"Block count:              2621440\n",
		"Reserved block count:     0\n",
		"Overhead clusters:        57531\n", /* what mke2fs says for this geometry */
		"Free blocks:              2563905\n",
		"Free inodes:              655347\n",
		"Block size:               4096\n",
		"Group descriptor size:    64\n",
		"Flex block group size:    16\n",
		"Last mount time:          n/a\n",
		"Last write time:          Tue Nov 14 22:13:20 2023\n",
		"Mount count:              0\n",
		"Maximum mount count:      -1\n",
		"Check interval:           0 (<none>)\n",
		"Inode size:\t          256\n",
		"Required extra isize:     32\n",
		"Default directory hash:   half_md4\n",
		"Journal backup:           inode blocks\n",
		"Checksum type:            crc32c\n",
		"Journal features:         journal_64bit journal_checksum_v3\n",
		"Total journal blocks:     16384\n",
		"Journal checksum type:    crc32c\n",
	};
	struct ext4_options options = test_options(10 * GIB);
	const char *image = "super.img";

	(void)state;
	need(have_tool("dumpe2fs"), "no dumpe2fs");
	write_image(image, &options);
	run_ok("env", "TZ=UTC", "dumpe2fs", "-h", image);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_output_has(lines[i]);
	assert_null(strstr(tools_output, "Lifetime writes"));
}

/* What mke2fs -E resize=26214400 says for this geometry, but for the blocks of our directories. */
static void test_superblock_with_a_reserve(void **state)
{
	static const char *const lines[] = {
		"features:      has_journal ext_attr resize_inode dir_index filetype extent 64bit",
		"Reserved block count:     131072\n",
		"Overhead clusters:        57630\n",
		"Free blocks:              2563805\n",
		"Reserved GDT blocks:      11\n",
	};
	struct ext4_options options = test_options(10 * GIB);
	const char *image = "reserve.img";

	(void)state;
	need(have_tool("dumpe2fs") && have_tool("debugfs"), "no dumpe2fs");
	options.max_size = 100 * GIB;
	options.root_ppm = 50000;
	write_image(image, &options);
	run_ok("dumpe2fs", "-h", image);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_output_has(lines[i]);
	run_ok("debugfs", "-R", "stat <7>", image);
	assert_output_has("Links: 1   Blockcount: 800\n");
	assert_output_has("Size: 4299210752\n");
	assert_output_has("(IND):3, (3084):32771, (3085):98307, (3086):163843, (3087):229379,");
	assert_output_has("\nTOTAL: 100\n");
}

static size_t count_in_output(const char *text)
{
	size_t count = 0;

	for (const char *at = tools_output; (at = strstr(at, text)); at += strlen(text))
		count++;
	return count;
}

/* Of 80 groups, 5 start a flex group and one is the last: only those have a block bitmap. */
static void test_nothing_to_initialise(void **state)
{
	struct ext4_options options = test_options(10 * GIB);
	const char *image = "flags.img";

	(void)state;
	need(have_tool("dumpe2fs"), "no dumpe2fs");
	write_image(image, &options);
	run_ok("dumpe2fs", image);
	assert_int_equal(count_in_output(": (Blocks "), 80);
	assert_int_equal(count_in_output("ITABLE_ZEROED"), 80);
	assert_int_equal(count_in_output("INODE_UNINIT"), 79);
	assert_int_equal(count_in_output("BLOCK_UNINIT"), 74);
	assert_int_equal(count_in_output("Backup superblock"), 8);
}

/* Each copy of the superblock must do when the primary is lost. */
static void test_backups_work(void **state)
{
	static const char *const blocks[] = { "32768", "98304", "163840", "884736" };
	struct ext4_options options = test_options(4 * GIB);
	const char *image = "backup.img";
	static const char junk[3 * 4096];

	(void)state;
	need(have_tool("e2fsck"), "no e2fsck");
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		int fd;

		write_image(image, &options);
		fd = open(image, O_WRONLY);
		assert_int_equal(pwrite(fd, junk, sizeof(junk) / 3 * 2, 0), sizeof(junk) / 3 * 2);
		close(fd);
		assert_int_not_equal(run_tool("e2fsck", "-fn", image), 0);
		assert_true(run_tool("e2fsck", "-fy", "-b", blocks[i], "-B", "4096", image) <= 1);
		assert_clean(image);
	}
}

static void test_tree(void **state)
{
	struct ext4_options options = test_options(64 * MIB);
	const char *image = "tree.img";

	(void)state;
	need(have_tool("debugfs"), "no debugfs");
	write_image(image, &options);
	run_ok("debugfs", "-R", "ls -p /", image);
	assert_output_has("\n/2/040755/0/0/.//\n/2/040755/0/0/..//\n/11/040700/0/0/lost+found//\n"
			  "/12/040755/0/0/upper//\n/13/040755/0/0/work//\n");
	run_ok("debugfs", "-R", "ls -p /upper", image);
	assert_output_has("\n/12/040755/0/0/.//\n/2/040755/0/0/..//\n");
	run_ok("env", "TZ=UTC", "debugfs", "-R", "stat /work", image);
	assert_output_has("Links: 2   Blockcount: 8\n");
	assert_output_has("crtime: 0x6553f100:00000000 -- Tue Nov 14 22:13:20 2023\n");
	assert_output_has("Size of extra inode fields: 32\n");
}

/* The reserve is used: the descriptors stay in one piece up to the maximum, and go elsewhere then.
 */
static void test_resizes_into_its_reserve(void **state)
{
	struct ext4_options options = test_options(4 * GIB);
	const char *image = "reserved.img";

	(void)state;
	need(have_tool("resize2fs") && have_tool("e2fsck"), "no resize2fs");
	options.max_size = 100 * GIB;
	write_image(image, &options);
	run_ok("resize2fs", image, "100G");
	assert_output_has("is now 26214400 (4k) blocks long");
	assert_clean(image);
	run_ok("dumpe2fs", "-h", image);
	assert_null(strstr(tools_output, "meta_bg"));
	assert_null(strstr(tools_output, "Reserved GDT blocks"));
	run_ok("resize2fs", image, "120G");
	assert_clean(image);
}

static void test_resizes_offline(void **state)
{
	struct ext4_options options = test_options(4 * GIB);
	const char *image = "grow.img";

	(void)state;
	need(have_tool("resize2fs") && have_tool("e2fsck"), "no resize2fs");
	write_image(image, &options);
	run_ok("resize2fs", image, "30G");
	assert_output_has("is now 7864320 (4k) blocks long");
	assert_clean(image);
	run_ok("debugfs", "-R", "ls -p /", image);
	assert_output_has("/upper/");
	run_ok("resize2fs", image, "1G");
	assert_clean(image);
}

static uint64_t allocated(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return (uint64_t)status.st_blocks * 512;
}

static void test_sparse(void **state)
{
	static const struct {
		uint64_t size, most;
	} cases[] = { { 64 * MIB, 64 << 10 },
		      { 4 * GIB, 192 << 10 },
		      { 10 * GIB, 256 << 10 },
		      { TIB, 16 << 20 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ext4_options options = test_options(cases[i].size);
		const char *image = "sparse.img";

		write_image(image, &options);
		print_message("%llu MiB: %llu KiB allocated\n",
			      (unsigned long long)(cases[i].size / MIB),
			      (unsigned long long)(allocated(image) / 1024));
		assert_true(allocated(image) <= cases[i].most);
	}
}

static uint8_t *read_all(const char *path, size_t size)
{
	uint8_t *bytes = malloc(size + 1);
	int fd = open(path, O_RDONLY);

	assert_non_null(bytes);
	assert_int_equal(read(fd, bytes, size + 1), size);
	close(fd);
	return bytes;
}

static void test_old_bytes_are_gone(void **state)
{
	const size_t size = 16 * MIB;
	struct ext4_options options = test_options(size);
	const char *clean = "clean.img", *used = "used.img";
	uint8_t *expected, *actual, *junk = malloc(2 * size);
	int fd = open(used, O_WRONLY | O_CREAT, 0600);

	(void)state;
	assert_non_null(junk);
	memset(junk, 0xff, 2 * size);
	assert_int_equal(write(fd, junk, 2 * size), 2 * size);
	close(fd);
	write_image(clean, &options);
	write_image(used, &options);
	expected = read_all(clean, size);
	actual = read_all(used, size);
	assert_memory_equal(actual, expected, size);
	free(expected);
	free(actual);
	free(junk);
}

/*
 * The same options give these very bytes, here and on any other machine. Whoever changes the format
 * changes this digest, and knows that images from before differ.
 */
static void test_known_bytes(void **state)
{
	struct ext4_options options = test_options(130 * MIB);
	const char *image = "known.img";
	struct mkrootfs_error error;
	struct digest digest;
	char text[DIGEST_TEXT_SIZE];
	uint8_t *bytes;

	(void)state;
	write_image(image, &options);
	bytes = read_all(image, options.size);
	assert_int_equal(digest_of(&digest, DIGEST_SHA256, bytes, options.size, &error), 0);
	free(bytes);
	digest_format_hex(text, &digest);
	assert_string_equal(text,
			    "71306030ac8eb05ab45a16544dcc3c3084fb85ee2ff1d0af3dca1fac4132e799");
}

static void test_refusal_touches_nothing(void **state)
{
	struct ext4_options options = test_options(MIB);
	struct mkrootfs_error error = { 0 };
	const char *image = "refused.img";

	(void)state;
	assert_int_equal(try_image(image, &options, &error), MKROOTFS_ERROR_INVALID);
	assert_non_null(strstr(error.message, "must be from 8 MiB"));
	assert_int_equal(allocated(image), 0);
}

/* A write that fails at any point is reported, once with its cause. */
static void test_failed_writes(void **state)
{
	struct rlimit before, limit;
	struct ext4_options options = test_options(64 * MIB);
	struct mkrootfs_error error = { 0 };
	const char *image = "failed.img";
	int status;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 32 * MIB;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	status = try_image(image, &options, &error);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(status, MKROOTFS_ERROR_IO);
	assert_int_equal(error.os_errno, EFBIG);
	assert_int_equal(strncmp(error.message, "ext4 image: ", 12), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_mebibyte),
		cmocka_unit_test(test_group_boundaries),
		cmocka_unit_test(test_group_boundaries_with_a_reserve),
		cmocka_unit_test(test_large_sizes),
		cmocka_unit_test(test_beyond_16_tib),
		cmocka_unit_test(test_options_are_clean),
		cmocka_unit_test(test_superblock),
		cmocka_unit_test(test_superblock_with_a_reserve),
		cmocka_unit_test(test_nothing_to_initialise),
		cmocka_unit_test(test_backups_work),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_resizes_offline),
		cmocka_unit_test(test_resizes_into_its_reserve),
		cmocka_unit_test(test_sparse),
		cmocka_unit_test(test_old_bytes_are_gone),
		cmocka_unit_test(test_known_bytes),
		cmocka_unit_test(test_refusal_touches_nothing),
		cmocka_unit_test(test_failed_writes),
	};

	return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
