/* SPDX-License-Identifier: Apache-2.0 */
/* ACL texts; the kernel itself is the judge of what it takes, and what for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tar/acl.h"

static const struct {
	const char *text;
	enum tar_acl_result result;
	uint32_t mode;
} cases[] = {
	{ "user::rw-,group::r--,other::---", TAR_ACL_TRIVIAL, 0640 },
	{ "other::---\ngroup::r--\nuser::rw-\n", TAR_ACL_TRIVIAL, 0640 },
	{ "user::rw-,user:7:rwx,group::r--,mask::rw-,other::--x", TAR_ACL_CONVERTED, 0661 },
	{ "user::rwx,group:7:rwx,group:3:x,group::---,mask::---,other::---", TAR_ACL_CONVERTED,
	  0700 },
	{ "user::rw-,group::r--,mask::rwx,other::r--", TAR_ACL_CONVERTED, 0674 },
	{ "user::rw-,user:lisa:r--:502,group:lp:r--:7,group::r--,mask::r--,other::r--",
	  TAR_ACL_CONVERTED, 0644 },
	{ "u::rwx,u:0:r,u:4294967294:r,g::-,m::r,o::-", TAR_ACL_CONVERTED, 0740 },
	{ "user::rw-,group::r--,mask:r--,other:r--", TAR_ACL_CONVERTED, 0644 },
	{ " # comment\nuser::rw-\t#effective:r--\n\ngroup::r--,,other::r--", TAR_ACL_TRIVIAL,
	  0644 },
	{ "user::rw-,user:lisa:r--,group::r--,mask::r--,other::r--", TAR_ACL_NAMES, 0 },
	{ "user::rw-,user:-1:r--,group::r--,mask::r--,other::r--", TAR_ACL_NAMES, 0 },
	{ "user::rw-,user:lisa:r--:,group::r--,mask::r--,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "user::rw-,user:lisa:r--:x,group::r--,mask::r--,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "user::rw-,user:1:r--:1:1,group::r--,mask::r--,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "user::rw-,user:1:r--:4294967295,group::r--,mask::r--,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "", TAR_ACL_MALFORMED, 0 },
	{ "user", TAR_ACL_MALFORMED, 0 },
	{ "user:", TAR_ACL_MALFORMED, 0 },
	{ "user::", TAR_ACL_MALFORMED, 0 },
	{ "user::rwz,group::r--,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "owner::rwx,group::r--,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "user::rw-,group::r--", TAR_ACL_MALFORMED, 0 },
	{ "group::r--,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "user::rw-,user::rw-,group::r--,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "user::rw-,group::r--,other::r--,mask::r,mask::r", TAR_ACL_MALFORMED, 0 },
	{ "user::rw-,mask:1:r--,group::r--,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "user::rw-,user:7:r,group::r--,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "user::rw-,user:7:r,user:7:w,group::r--,mask::r,other::r--", TAR_ACL_MALFORMED, 0 },
	{ "default:user::rw-,group::r--,other::r--", TAR_ACL_MALFORMED, 0 },
};

static void converts_what_can_be_converted(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf blob = BUF_INIT(65536);
		enum tar_acl_result result;
		struct mkrootfs_error error;

		assert_int_equal(tar_acl_convert(&result, &blob, cases[i].text,
						 strlen(cases[i].text), &error),
				 0);
		if (result != cases[i].result)
			fail_msg("'%s': %d", cases[i].text, result);
		if (result == TAR_ACL_CONVERTED || result == TAR_ACL_TRIVIAL)
			assert_int_equal(tar_acl_mode(&blob), cases[i].mode);
		buf_free(&blob);
	}
}

/* Sets the ACL on a file; what the kernel makes of its mode must be what tar_acl_mode says. */
static void check_by_kernel(const char *path, const struct buf *blob)
{
	struct stat info;

	assert_int_equal(chmod(path, 0), 0);
	if (setxattr(path, "system.posix_acl_access", blob->data, blob->len, 0) < 0) {
		if (errno == EOPNOTSUPP) {
			print_message("SKIPPED: no ACLs in the folder for temporary files\n");
			skip();
		}
		fail_msg("the kernel refuses an ACL: %s", strerror(errno));
	}
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 07777, tar_acl_mode(blob));
}

/* The kernel gives back what it was given, byte for byte, unless the mode says it all. */
static void check_read_back(const char *path, const struct buf *blob, bool is_trivial)
{
	uint8_t value[65536];
	ssize_t len = getxattr(path, "system.posix_acl_access", value, sizeof(value));

	if (is_trivial) {
		assert_int_equal(len, -1);
		return;
	}
	assert_int_equal(len, blob->len);
	assert_memory_equal(value, blob->data, blob->len);
}

static void the_kernel_takes_what_was_converted(void **state)
{
	char path[] = "/tmp/mkrootfs-acl-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf blob = BUF_INIT(65536);
		enum tar_acl_result result;
		struct mkrootfs_error error;

		tar_acl_convert(&result, &blob, cases[i].text, strlen(cases[i].text), &error);
		if (result == TAR_ACL_CONVERTED || result == TAR_ACL_TRIVIAL) {
			check_by_kernel(path, &blob);
			check_read_back(path, &blob, result == TAR_ACL_TRIVIAL);
		}
		buf_free(&blob);
	}
	unlink(path);
}

static void stops_at_the_cap(void **state)
{
	struct buf blob = BUF_INIT(40), text = BUF_INIT(65536);
	enum tar_acl_result result;
	struct mkrootfs_error error;

	(void)state;
	for (int i = 0; i < 10; i++)
		assert_int_equal(buf_printf(&text, &error, "user:%d:rwx,", i), 0);
	assert_int_equal(tar_acl_convert(&result, &blob, (const char *)text.data, text.len, &error),
			 MKROOTFS_ERROR_LIMIT);
	buf_free(&text);
	buf_free(&blob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(converts_what_can_be_converted),
		cmocka_unit_test(the_kernel_takes_what_was_converted),
		cmocka_unit_test(stops_at_the_cap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
