/* SPDX-License-Identifier: Apache-2.0 */
/* ls, cat and stat on a small tree of the fake library's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base64.h"
#include "cli/command_line.h"
#include "cli/file_view.h"
#include "cli/inode_set.h"
#include "fake_library.h"

#define DISK "./d"
#define LAYER "/s/i/0.erofs"

struct run {
	int code;
	char *out, *err;
	size_t size; /* of out */
};

static struct run run(const char *line)
{
	struct run result;
	size_t err_size, count = 0;
	char words[256], *list[16] = { NULL };
	FILE *out = open_memstream(&result.out, &result.size);
	FILE *err = open_memstream(&result.err, &err_size);

	strcpy(words, line);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		list[count++] = word;
	result.code = command_line_run(list, out, err);
	fclose(out);
	fclose(err);
	assert_int_equal(fake_tree.open, 0);
	return result;
}

static void end_run(struct run *result)
{
	free(result->out);
	free(result->err);
}

static int prepare(void **state)
{
	(void)state;
	memset(&library, 0, sizeof(library));
	memset(&fake_tree, 0, sizeof(fake_tree));
	fake_tree.opens = DISK;
	setenv("MKROOTFS_STORE", "/env", 1);
	return 0;
}

#define A_JSON                                                                               \
	"{\"path\":\"/a\\u000a\\ufffd\",\"path_base64\":\"L2EK/w==\",\"type\":\"file\","     \
	"\"mode\":\"4755\",\"inode\":2,\"links\":1,\"uid\":7,\"gid\":4294967295,\"size\":5," \
	"\"mtime\":1700000000,\"mtime_nsec\":5,\"xattrs\":["                                 \
	"{\"name\":\"security.capability\",\"base64\":\"AQAAAg==\"},"                        \
	"{\"name\":\"user.\\ufffd\",\"name_base64\":\"dXNlci7+\","                           \
	"\"text\":\"caf\xc3\xa9 \\\"x\\\"\"},{\"name\":\"user.empty\",\"text\":\"\"}]"
#define A_DATA ",\"data\":{\"file\":\"/s/i/0.erofs\",\"offset\":4096"
#define GONE_JSON                                                                          \
	"{\"path\":\"/gone\",\"type\":\"char\",\"mode\":\"0000\",\"inode\":3,\"links\":1," \
	"\"uid\":0,\"gid\":0,\"size\":0,\"mtime\":-1,\"mtime_nsec\":0,"                    \
	"\"major\":0,\"minor\":0,\"xattrs\":[]}"
#define L_JSON                                                                             \
	"{\"path\":\"/l\",\"type\":\"symlink\",\"mode\":\"0777\",\"inode\":4,\"links\":1," \
	"\"uid\":0,\"gid\":0,\"size\":3,\"mtime\":9223372036854775807,\"mtime_nsec\":0,"   \
	"\"target\":\"sub\",\"xattrs\":[]}"
#define SUB_JSON                                                                               \
	"{\"path\":\"/sub\",\"type\":\"directory\",\"mode\":\"1777\",\"inode\":5,\"links\":2," \
	"\"uid\":0,\"gid\":0,\"size\":27,\"mtime\":0,\"mtime_nsec\":0,\"xattrs\":[]}"

static const struct {
	const char *line, *out;
	size_t size; /* of out, where it holds NULs */
} cases[] = {
	{ "ls " DISK, "a\n\xff\ngone\nl\nsub\n", 0 },
	{ "ls " DISK ":/l", "tty\n", 0 },
	{ "ls -d " DISK ":/l " DISK, DISK ":/l\n" DISK "\n", 0 },
	{ "ls " DISK ":/gone", DISK ":/gone\n", 0 },
	{ "ls -0 " DISK, "a\n\xff\0gone\0l\0sub\0", 15 },
	{ "ls -0R " DISK, "/a\n\xff\0/gone\0/l\0/sub\0/sub/tty\0", 28 },
	{ "ls -l " DISK,
	  "-rwsr-xr-x   1     7 4294967295          5 2023-11-14T22:13:20Z a\\x0a\\xff\n"
	  "c---------   1     0     0       0, 0 1969-12-31T23:59:59Z gone (whiteout)\n"
	  "lrwxrwxrwx   1     0     0          3 @9223372036854775807 l -> sub\n"
	  "drwxrwxrwt   2     0     0         27 1970-01-01T00:00:00Z sub\n",
	  0 },
	{ "ls -l " DISK ":/l",
	  "lrwxrwxrwx   1     0     0          3 @9223372036854775807 " DISK ":/l -> sub\n", 0 },
	{ "ls -lR " DISK ":/sub",
	  "/sub:\nbrw--w----   1     0     0      4, 65 1970-01-01T00:00:00Z tty\n", 0 },
	{ "ls -R " DISK, "/:\na\n\xff\ngone\nl\nsub\n\n/sub:\ntty\n", 0 },
	{ "ls " DISK ":/sub " DISK ":/l", DISK ":/sub:\ntty\n\n" DISK ":/l:\ntty\n", 0 },
	{ "ls --json " DISK,
	  "[\n" A_JSON A_DATA "}},\n" GONE_JSON ",\n" L_JSON ",\n" SUB_JSON "\n]\n", 0 },
	{ "cat " DISK ":/a\n\xff " DISK ":/a\n\xff", "h\0\xff\nih\0\xff\ni", 10 },
	{ "stat --json " DISK ":/l " DISK ":/gone", L_JSON "\n" GONE_JSON "\n", 0 },
	{ "stat --json name:/a\n\xff", A_JSON A_DATA ",\"layer\":\"sha256:fedcba9876543210\"}}\n",
	  0 },
	{ "stat name:/a\n\xff",
	  "File:        /a\\x0a\\xff\n"
	  "Type:        file\n"
	  "Size:        5\n"
	  "Mode:        4755/-rwsr-xr-x\n"
	  "Owner:       7\n"
	  "Group:       4294967295\n"
	  "Modified:    2023-11-14T22:13:20.000000005Z\n"
	  "Inode:       2\n"
	  "Links:       1\n"
	  "Xattr:       security.capability = base64 AQAAAg==\n"
	  "Xattr:       user.\\xfe = caf\xc3\xa9 \"x\"\n"
	  "Xattr:       user.empty = \n"
	  "Layer:       sha256:fedcba9876543210\n"
	  "Data:        /s/i/0.erofs, from byte 4096\n",
	  0 },
	{ "stat " DISK ":/gone",
	  "File:        /gone\n"
	  "Type:        char (whiteout)\n"
	  "Device:      0, 0\n"
	  "Size:        0\n"
	  "Mode:        0000/c---------\n"
	  "Owner:       0\n"
	  "Group:       0\n"
	  "Modified:    1969-12-31T23:59:59.000000000Z\n"
	  "Inode:       3\n"
	  "Links:       1\n",
	  0 },
};

static void shows_files(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t size = cases[i].size ? cases[i].size : strlen(cases[i].out);
		struct run result;

		prepare(state);
		library.image = "name";
		result = run(cases[i].line);
		if (result.code != 0 || result.size != size ||
		    memcmp(result.out, cases[i].out, size) != 0) {
			print_message("%s: %d\n%s%sexpected\n%s", cases[i].line, result.code,
				      result.out, result.err, cases[i].out);
			fail();
		}
		assert_string_equal(result.err, "");
		end_run(&result);
	}
}

static const struct {
	const char *word, *opens; /* the command's operand; what of it is there */
	const char *tried;	  /* in this order */
} readings[] = {
	{ "./d", "./d", "./d " },
	{ "./d:/sub", "./d", "./d:/sub ./d " },
	{ "./d:/sub", "./d:/sub", "./d:/sub " },
	{ "/a:/d:/sub", "/a:/d", "/a:/d:/sub /a:/d " },
	{ "/a:/d:/sub", "/a", "/a:/d:/sub /a:/d /a " },
	{ "../d", "../d", "../d " },
	{ "..", "..", ".. " },
	{ ".", ".", ". " },
};

static void the_longest_image_that_opens_counts(void **state)
{
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		char line[128];
		struct run result;

		prepare(state);
		fake_tree.opens = readings[i].opens;
		snprintf(line, sizeof(line), "ls %s", readings[i].word);
		result = run(line);
		assert_string_equal(fake_tree.tried, readings[i].tried);
		assert_int_equal(library.calls, 0);
		end_run(&result);
	}
}

static void names_without_a_slash_are_of_the_store(void **state)
{
	struct run result = run("ls --store /s name:1:/sub");

	(void)state;
	/* The fake store has an image of any name: the whole word is one. */
	assert_string_equal(library.name, "name:1:/sub");
	assert_string_equal(library.store, "/s");
	end_run(&result);
	prepare(state);
	library.status = MKROOTFS_ERROR_NOT_FOUND;
	library.message = "not there";
	result = run("ls name:1:/sub");
	assert_int_equal(result.code, 3);
	assert_int_equal(library.calls, 2);
	assert_string_equal(library.name, "name:1");
	assert_string_equal(library.store, "/env");
	assert_string_equal(result.err, "mkrootfs: not there\n");
	end_run(&result);
	/* What is there, but damaged, is not read in another way. */
	prepare(state);
	library.status = MKROOTFS_ERROR_MALFORMED;
	result = run("ls name:1:/sub");
	assert_int_equal(result.code, 6);
	assert_int_equal(library.calls, 1);
	end_run(&result);
}

static void paths_need_no_store(void **state)
{
	struct run result;

	(void)state;
	unsetenv("MKROOTFS_STORE");
	unsetenv("XDG_DATA_HOME");
	unsetenv("HOME");
	result = run("ls " DISK ":/sub");
	assert_int_equal(result.code, 0);
	end_run(&result);
	result = run("ls name");
	assert_int_equal(result.code, 2);
	assert_non_null(strstr(result.err, "no folder for the store"));
	end_run(&result);
}

static void the_rest_is_shown_after_a_failure(void **state)
{
	struct run result = run("cat " DISK ":/none " DISK ":/a\n\xff ./none:/x");

	(void)state;
	assert_int_equal(result.code, 3);
	assert_memory_equal(result.out, "h\0\xff\ni", 5);
	assert_string_equal(result.err, "mkrootfs: no such file\nmkrootfs: ./none\n");
	end_run(&result);
	result = run("ls " DISK ":/none " DISK ":/sub");
	assert_int_equal(result.code, 3);
	assert_string_equal(result.out, DISK ":/sub:\ntty\n");
	end_run(&result);
	result = run("ls --json " DISK ":/none");
	assert_string_equal(result.out, "[]\n");
	end_run(&result);
	result = run("stat " DISK ":/none " DISK ":/sub");
	assert_int_equal(result.code, 3);
	assert_non_null(strstr(result.out, "File:        /sub\n"));
	end_run(&result);
}

static void a_directory_in_itself_ends_the_listing(void **state)
{
	struct run result;

	(void)state;
	fake_tree.loop = 1;
	result = run("ls -R " DISK);
	assert_int_equal(result.code, 6);
	assert_string_equal(result.err, "mkrootfs: '/sub/tty': this directory has two names\n");
	end_run(&result);
}

static void encodes_base64(void **state)
{
	static const char *const texts[][2] = { { "", "" },
						{ "f", "Zg==" },
						{ "fo", "Zm8=" },
						{ "foo", "Zm9v" },
						{ "foob", "Zm9vYg==" },
						{ "\xff\xff\xff", "////" },
						{ "\xfb\xef\xbe", "++++" } };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *text;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		print_base64(out, texts[i][0], strlen(texts[i][0]));
		fclose(out);
		assert_string_equal(text, texts[i][1]);
		free(text);
	}
}

static void shows_modes_as_ls_does(void **state)
{
	static const struct {
		uint32_t mode;
		const char *text;
	} modes[] = {
		{ 0100644, "-rw-r--r--" }, { 0107777, "-rwsrwsrwt" }, { 0107000, "---S--S--T" },
		{ 0040755, "drwxr-xr-x" }, { 0120777, "lrwxrwxrwx" }, { 0010600, "prw-------" },
		{ 0140700, "srwx------" }, { 0060660, "brw-rw----" }, { 0020620, "crw--w----" },
		{ 0000000, "?---------" },
	};
	char text[MODE_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		assert_string_equal(mode_format(text, modes[i].mode), modes[i].text);
}

static void a_set_knows_what_it_has(void **state)
{
	struct inode_set set = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t number = i * i << (i % 20);
		int added = inode_set_add(&set, number);

		assert_true(added >= 0);
		assert_int_equal(inode_set_add(&set, number), 0);
		assert_int_equal(set.count <= i + 1, 1);
	}
	assert_int_equal(inode_set_add(&set, UINT64_MAX - 1), 1);
	inode_set_free(&set);
	assert_int_equal(inode_set_add(&set, 0), 1);
	assert_int_equal(inode_set_add(&set, 0), 0);
	inode_set_free(&set);
}

#define TEST(function) cmocka_unit_test_setup(function, prepare)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(shows_files),
		TEST(the_longest_image_that_opens_counts),
		TEST(names_without_a_slash_are_of_the_store),
		TEST(the_rest_is_shown_after_a_failure),
		TEST(a_directory_in_itself_ends_the_listing),
		TEST(encodes_base64),
		TEST(shows_modes_as_ls_does),
		TEST(a_set_knows_what_it_has),
		TEST(paths_need_no_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
