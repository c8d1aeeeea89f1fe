/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tar/file_index.h"

/* Members by hand: name, type, link target, content; a NULL name ends the list. */
struct member {
	const char *name;
	char type;
	const char *link;
	const char *content;
};

static void put_checksum(char header[512])
{
	unsigned sum = 0;

	memset(header + 148, ' ', 8);
	for (int i = 0; i < 512; i++)
		sum += (unsigned char)header[i];
	snprintf(header + 148, 8, "%06o", sum);
}

static void put_member(int fd, const struct member *member)
{
	char block[512] = "";
	size_t size = member->content ? strlen(member->content) : 0;

	snprintf(block, 100, "%s", member->name);
	memcpy(block + 100, "0000644", 7);
	snprintf(block + 124, 12, "%06o", (unsigned)size);
	block[156] = member->type;
	snprintf(block + 157, 100, "%s", member->link ? member->link : "");
	memcpy(block + 257, "ustar\00000", 8);
	put_checksum(block);
	assert_int_equal(write(fd, block, 512), 512);
	memset(block, 0, 512);
	if (size > 0) {
		memcpy(block, member->content, size);
		assert_int_equal(write(fd, block, 512), 512);
	}
}

static int make(const struct member *members)
{
	int fd = memfd_create("archive", MFD_CLOEXEC);
	char zeros[1024] = "";

	assert_true(fd >= 0);
	for (; members->name; members++)
		put_member(fd, members);
	assert_int_equal(write(fd, zeros, sizeof(zeros)), sizeof(zeros));
	return fd;
}

static struct file_set *open_set(const struct member *members)
{
	struct mkrootfs_error error = { .message = "" };
	struct file_set *set;

	if (file_set_tar(&set, make(members), &error) < 0)
		fail_msg("%s", error.message);
	assert_true(set->is_archive);
	return set;
}

static const struct member archive[] = {
	{ "./", '5', NULL, NULL },	   { "./a", '0', NULL, "content of a" },
	{ "d/", '5', NULL, NULL },	   { "d/", '5', NULL, NULL },
	{ "d/b", '0', NULL, "bb" },	   { "d/empty", '0', NULL, NULL },
	{ "/absolute", '0', NULL, "abs" }, { "hard", '1', "d/b", NULL },
	{ "d/soft", '2', "../a", NULL },   { "d/beside", '2', "b", NULL },
	{ "root", '2', "/d/soft", NULL },  { "early", '2', "late", NULL },
	{ "late", '0', NULL, "late" },	   { "nowhere", '2', "x", NULL },
	{ "self", '2', "self", NULL },	   { "ping", '2', "pong", NULL },
	{ "pong", '1', "ping", NULL },	   { "folder", '2', "d", NULL },
	{ "fifo", '6', NULL, NULL },	   { "twice", '0', NULL, "1" },
	{ "./twice", '0', NULL, "2" },	   { "mixed", '5', NULL, NULL },
	{ "mixed", '0', NULL, "2" },	   { NULL, 0, NULL, NULL },
};

static const struct {
	const char *name;
	const char *content; /* or what the error says */
	int status;
} reads[] = {
	{ "a", "content of a", 0 },
	{ "d/b", "bb", 0 },
	{ "d/empty", "", 0 },
	{ "absolute", "abs", 0 },
	{ "hard", "bb", 0 },
	{ "d/soft", "content of a", 0 },
	{ "d/beside", "bb", 0 },
	{ "root", "content of a", 0 },
	{ "early", "late", 0 },
	/* Only the last component may be a link, and names are matched as they are. */
	{ "folder/b", "no 'folder/b'", MKROOTFS_ERROR_NOT_FOUND },
	{ "./a", "no './a'", MKROOTFS_ERROR_NOT_FOUND },
	{ "/a", "no '/a'", MKROOTFS_ERROR_NOT_FOUND },
	{ "A", "no 'A'", MKROOTFS_ERROR_NOT_FOUND },
	{ "", "no regular file", MKROOTFS_ERROR_MALFORMED },
	{ "nowhere", "no 'nowhere'", MKROOTFS_ERROR_NOT_FOUND },
	{ "x", "no 'x'", MKROOTFS_ERROR_NOT_FOUND },
	{ "out", "no 'out'", MKROOTFS_ERROR_NOT_FOUND },
	{ "d/out", "no 'd/out'", MKROOTFS_ERROR_NOT_FOUND },
	{ "out-hard", "no 'out-hard'", MKROOTFS_ERROR_NOT_FOUND },
	{ "self", "too many", MKROOTFS_ERROR_MALFORMED },
	{ "ping", "too many", MKROOTFS_ERROR_MALFORMED },
	{ "folder", "no regular file", MKROOTFS_ERROR_MALFORMED },
	{ "d", "no regular file", MKROOTFS_ERROR_MALFORMED },
	{ "fifo", "no regular file", MKROOTFS_ERROR_MALFORMED },
	{ "twice", "twice", MKROOTFS_ERROR_MALFORMED },
	{ "mixed", "twice", MKROOTFS_ERROR_MALFORMED },
};

static void reads_by_name(void **state)
{
	struct file_set *set = open_set(archive);

	(void)state;
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		struct mkrootfs_error error = { .message = "" };
		struct buf bytes = BUF_INIT(1000);
		int status = file_set_read(&bytes, set, reads[i].name, &error);

		if (status != reads[i].status)
			fail_msg("%s: %d %s", reads[i].name, status, error.message);
		assert_int_equal(file_set_has(set, reads[i].name), status == 0);
		if (status < 0 && !strstr(error.message, reads[i].content))
			fail_msg("%s: %s", reads[i].name, error.message);
		if (status == 0) {
			assert_int_equal(bytes.len, strlen(reads[i].content));
			assert_memory_equal(bytes.len ? (char *)bytes.data : "", reads[i].content,
					    bytes.len);
		}
		buf_free(&bytes);
	}
	file_set_close(set);
}

static void opens_at_an_offset(void **state)
{
	struct file_set *set = open_set(archive);
	struct mkrootfs_error error;

	(void)state;
	for (uint64_t offset = 0; offset < 20; offset++) {
		struct buf bytes = BUF_INIT(1000);
		struct source *source;
		uint64_t size;

		assert_int_equal(file_set_open(set, &source, &size, "root", offset, &error), 0);
		assert_int_equal(source_read_all(&bytes, source, &error), 0);
		assert_int_equal(size, 12);
		assert_int_equal(bytes.len, offset < 12 ? 12 - offset : 0);
		if (bytes.len)
			assert_memory_equal(bytes.data, &"content of a"[offset], bytes.len);
		source_close(source);
		buf_free(&bytes);
	}
	file_set_close(set);
}

static const struct {
	struct member members[2];
	const char *says;
} refused[] = {
	{ { { "../x", '0', NULL, "x" } }, "climbs above the root" },
	{ { { "a/../../x", '5', NULL, NULL } }, "climbs above the root" },
	{ { { "/..", '5', NULL, NULL } }, "climbs above the root" },
};

static void refuses_names_that_climb(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct mkrootfs_error error = { .message = "" };
		struct file_set *set;
		int fd = make(refused[i].members);

		assert_int_equal(file_set_tar(&set, fd, &error), MKROOTFS_ERROR_MALFORMED);
		assert_null(set);
		assert_non_null(strstr(error.message, refused[i].says));
		assert_int_equal(close(fd), 0); /* it is still the caller's */
	}
}

static void refuses_what_was_cut(void **state)
{
	static const struct member members[] = {
		{ "a", '0', NULL, "content of a" },
		{ NULL, 0, NULL, NULL },
	};
	struct mkrootfs_error error;
	struct file_set *set;

	(void)state;
	for (off_t size = 1; size <= 512 + 12; size++) {
		int fd = make(members);

		assert_int_equal(ftruncate(fd, size), 0);
		if (file_set_tar(&set, fd, &error) < 0) {
			close(fd);
			assert_int_equal(error.status, MKROOTFS_ERROR_MALFORMED);
			assert_true(size < 512 + 12);
			continue;
		}
		file_set_close(set);
		assert_int_equal(size, 512 + 12); /* only the padding is missing */
	}
}

/* What stands between the headers is not read: a terabyte of it costs nothing. */
static void passes_over_content(void **state)
{
	static const char size_field[] = "\x80\0\0\0\0\0\1\0\0\0\0\0"; /* base-256: 2^40 */
	char header[512] = "huge";
	struct mkrootfs_error error = { .message = "" };
	struct file_set *set;
	struct source *source;
	uint64_t size;
	int fd = memfd_create("archive", MFD_CLOEXEC);

	(void)state;
	memcpy(header + 100, "0000644", 7);
	memcpy(header + 124, size_field, 12);
	header[156] = '0';
	memcpy(header + 257, "ustar\00000", 8);
	put_checksum(header);
	assert_int_equal(write(fd, header, 512), 512);
	assert_int_equal(lseek(fd, 512 + ((off_t)1 << 40), SEEK_SET), 512 + ((off_t)1 << 40));
	put_member(fd, &archive[1]);
	if (file_set_tar(&set, fd, &error) < 0)
		fail_msg("%s", error.message);
	assert_true(file_set_has(set, "a"));
	assert_int_equal(file_set_open(set, &source, &size, "huge", 5, &error), 0);
	assert_int_equal(size, (uint64_t)1 << 40);
	source_close(source);
	file_set_close(set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_by_name),
		cmocka_unit_test(opens_at_an_offset),
		cmocka_unit_test(refuses_names_that_climb),
		cmocka_unit_test(refuses_what_was_cut),
		cmocka_unit_test(passes_over_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
