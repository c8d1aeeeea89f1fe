/* SPDX-License-Identifier: Apache-2.0 */
/* Filesystems that grow, judged by e2fsck and dumpe2fs; each write of it may be the last one. */
#include "tools.h"

#include "ext4/grow.h"

#include <sys/stat.h>

static const char *const image = "grow.img", *const copy = "copy.img";

/* ---- Growing ---- */

struct write_log {
	struct logged {
		uint64_t offset;
		size_t len;
		uint8_t *data;
	} writes[4096];
	size_t count;
};

static void keep_write(void *user, uint64_t offset, const void *data, size_t len)
{
	struct write_log *log = user;
	struct logged *write = &log->writes[log->count++];

	assert_true(log->count <= sizeof(log->writes) / sizeof(*log->writes));
	*write = (struct logged){ offset, len, malloc(len) };
	assert_non_null(write->data);
	memcpy(write->data, data, len);
}

static int try_grow(const char *path, uint64_t size, struct write_log *log,
		    struct mkrootfs_error *error)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), status;
	struct ext4_disk disk = { .fd = fd, .watch = log ? keep_write : NULL, .user = log };
	struct ext4_grown grown;

	assert_true(fd >= 0);
	status = ext4_grow(&disk, &grown, size, error);
	close(fd);
	return status;
}

static void grow(const char *path, uint64_t size)
{
	struct mkrootfs_error error = { 0 };
	struct stat st;

	if (try_grow(path, size, NULL, &error) != 0)
		fail_msg("%s", error.message);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, size / 4096 * 4096);
}

/* ---- Sizes ---- */

static const struct {
	uint64_t from, max, until[4];
	uint32_t ratio, root_ppm;
} cases[] = {
	/* whole groups, within a block of descriptors */
	{ 128 * MIB, 0, { 256 * MIB, 4 * GIB, 8 * GIB }, 0, 0 },
	{ 4 * GIB, 0, { 4 * GIB, 5 * GIB }, 0, 50000 },
	/* a last group that is not whole; one that is too small */
	{ 8 * MIB, 0, { 9 * MIB, 127 * MIB, 128 * MIB, 129 * MIB }, 0, 0 },
	{ 200 * MIB, 0, { 201 * MIB, 300 * MIB, 1000 * MIB + 4096, 3 * GIB + 1 }, 0, 10000 },
	{ 128 * MIB + 200 * 1024, 0, { 130 * MIB, 131 * MIB }, 0, 0 },
	{ 64 * MIB, 0, { 2 * GIB }, 4096, 0 },
	/* over to meta_bg, in one step and in several */
	{ 4 * GIB, 0, { 30 * GIB, 40 * GIB, 40 * GIB + 200 * MIB, 300 * GIB }, 0, 0 },
	{ 8 * GIB,
	  0,
	  { 8 * GIB + 128 * MIB, 8 * GIB + 256 * MIB, 8 * GIB + 300 * MIB, 16 * GIB },
	  0,
	  0 },
	{ 300 * MIB, 0, { 300 * GIB }, 0, 0 },
	/* into a reserve, to its end, beyond it */
	{ 4 * GIB, 100 * GIB, { 6 * GIB, 30 * GIB, 100 * GIB, 110 * GIB }, 0, 0 },
	{ 100 * MIB, 20 * GIB, { 101 * MIB, 500 * MIB, 9 * GIB, 24 * GIB }, 0, 0 },
	{ 100 * MIB, 20 * GIB, { 30 * GIB }, 0, 20000 },
	{ 1 * GIB, 1 * GIB + 1, { 8 * GIB, 16 * GIB, 17 * GIB }, 0, 0 },
	{ 2 * GIB, 4 * TIB, { 2 * TIB }, 0, 0 },
};

static void make(size_t i)
{
	struct ext4_options options = test_options(cases[i].from);

	options.max_size = cases[i].max;
	options.inode_ratio = cases[i].ratio;
	options.root_ppm = cases[i].root_ppm;
	unlink(image);
	write_image(image, &options);
}

static void test_grown_ones_are_clean(void **state)
{
	(void)state;
	need(have_tool("e2fsck"), "no e2fsck");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		make(i);
		for (size_t j = 0; j < 4 && cases[i].until[j]; j++) {
			grow(image, cases[i].until[j]);
			assert_clean(image);
		}
	}
}

/* ---- Crashes ---- */

static void apply(const struct write_log *log, size_t count, uint64_t size)
{
	int fd;

	run_ok("cp", "--sparse=always", image, copy);
	assert_int_equal(truncate(copy, (off_t)size), 0);
	fd = open(copy, O_RDWR | O_CLOEXEC);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(pwrite(fd, log->writes[i].data, log->writes[i].len,
					(off_t)log->writes[i].offset),
				 log->writes[i].len);
	close(fd);
}

static uint64_t size_of(const char *path)
{
	const char *text;

	run_ok("dumpe2fs", "-h", path);
	text = strstr(tools_output, "Block count:");
	assert_non_null(text);
	return strtoull(text + strlen("Block count:"), NULL, 10) * 4096;
}

static bool wants_recovery(const char *path)
{
	run_ok("dumpe2fs", "-h", path);
	return strstr(tools_output, "needs_recovery") != NULL;
}

/* Clean at once, or after no more than a replay of the journal. */
static void check_crashed(uint64_t before, uint64_t after, bool by_journal)
{
	uint64_t size;

	if (wants_recovery(copy)) {
		assert_true(by_journal);
		if (run_tool("e2fsck", "-p", copy) > 1)
			fail_msg("%s", tools_output);
	}
	assert_clean(copy);
	size = size_of(copy);
	assert_true(size == before || size == after);
}

static void crash_everywhere(size_t i, uint64_t until)
{
	static struct write_log log;
	struct mkrootfs_error error = { 0 };
	uint64_t before;

	make(i);
	before = size_of(image);
	run_ok("cp", "--sparse=always", image, "grown.img");
	log.count = 0;
	if (try_grow("grown.img", until, &log, &error) != 0)
		fail_msg("%s", error.message);
	assert_true(log.count > 3);
	for (size_t count = 0; count <= log.count; count++) {
		apply(&log, count, until);
		check_crashed(before, size_of("grown.img"),
			      cases[i].max || cases[i].from % (128 * MIB));
	}
	for (size_t j = 0; j < log.count; j++)
		free(log.writes[j].data);
}

static void test_each_write_may_be_the_last(void **state)
{
	(void)state;
	need(have_tool("e2fsck") && have_tool("dumpe2fs"), "no e2fsck");
	crash_everywhere(0, 300 * MIB);
	crash_everywhere(3, 300 * MIB);
	crash_everywhere(6, 9 * GIB);
	crash_everywhere(10, 9 * GIB);
	crash_everywhere(12, 17 * GIB);
}

/* ---- Content and cost ---- */

static uint64_t allocated(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return (uint64_t)st.st_blocks * 512;
}

/* Not more than resize2fs, but for what went through the journal. */
#define JOURNALED (128u << 10)

static void test_sparse(void **state)
{
	static const struct {
		size_t of;
		uint64_t until;
	} grown[] = { { 0, 4 * GIB }, { 6, 30 * GIB }, { 9, 100 * GIB } };

	(void)state;
	need(have_tool("resize2fs"), "no resize2fs");
	for (size_t i = 0; i < sizeof(grown) / sizeof(*grown); i++) {
		char size[32];

		make(grown[i].of);
		run_ok("cp", "--sparse=always", image, copy);
		snprintf(size, sizeof(size), "%lluM", (unsigned long long)(grown[i].until / MIB));
		run_ok("resize2fs", copy, size);
		grow(image, grown[i].until);
		print_message("%s: %llu KiB, by resize2fs %llu KiB\n", size,
			      (unsigned long long)allocated(image) / 1024,
			      (unsigned long long)allocated(copy) / 1024);
		assert_true(allocated(image) <= allocated(copy) + JOURNALED);
		assert_int_equal(size_of(image), size_of(copy));
	}
}

static void test_files_stay(void **state)
{
	(void)state;
	need(have_tool("debugfs"), "no debugfs");
	make(3);
	run_ok("sh", "-c", "seq 100000 > numbers; debugfs -w -R 'write numbers numbers' \"$0\"",
	       image);
	grow(image, 20 * GIB);
	assert_clean(image);
	run_ok("sh", "-c", "debugfs -R 'dump numbers out' \"$0\" && cmp numbers out", image);
}

/* ---- Refusals ---- */

static void refuse(int status, uint64_t size, const char *text)
{
	struct mkrootfs_error error = { 0 };
	struct write_log *log = calloc(1, sizeof(*log));

	assert_non_null(log);
	assert_int_equal(try_grow(image, size, log, &error), status);
	assert_int_equal(log->count, 0);
	if (!strstr(error.message, text))
		fail_msg("no '%s' in: %s", text, error.message);
	free(log);
}

static void set_feature(const char *feature)
{
	char request[100];

	snprintf(request, sizeof(request), "feature %s", feature);
	run_ok("debugfs", "-w", "-R", request, image);
}

static void test_refusals(void **state)
{
	(void)state;
	need(have_tool("debugfs"), "no debugfs");
	make(1);
	refuse(MKROOTFS_ERROR_INVALID, 3 * GIB, "it can only be made larger");
	refuse(MKROOTFS_ERROR_INVALID, 33 * TIB, "must be at most");
	set_feature("needs_recovery");
	refuse(MKROOTFS_ERROR_UNSUPPORTED, 5 * GIB, "its journal has to be replayed first");
	set_feature("-needs_recovery");
	set_feature("quota");
	refuse(MKROOTFS_ERROR_UNSUPPORTED, 5 * GIB, "the ext4 feature quota is not supported");
	set_feature("-quota");
	set_feature("-ext_attr");
	refuse(MKROOTFS_ERROR_UNSUPPORTED, 5 * GIB, "without the feature ext_attr");
	set_feature("ext_attr");
	run_ok("debugfs", "-w", "-R", "ssv state 3", image);
	refuse(MKROOTFS_ERROR_UNSUPPORTED, 5 * GIB, "has errors that a kernel has found");
	run_ok("debugfs", "-w", "-R", "ssv state 1", image);
	grow(image, 5 * GIB);
	assert_clean(image);
	assert_int_equal(truncate(image, (off_t)GIB), 0);
	refuse(MKROOTFS_ERROR_MALFORMED, 6 * GIB, "the file ends within the ext4 filesystem");
	run_ok("sh", "-c", "head -c 9000000 /dev/zero > \"$0\"", image);
	refuse(MKROOTFS_ERROR_MALFORMED, 6 * GIB, "this is no ext4 filesystem");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grown_ones_are_clean),
		cmocka_unit_test(test_each_write_may_be_the_last),
		cmocka_unit_test(test_sparse),
		cmocka_unit_test(test_files_stay),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
