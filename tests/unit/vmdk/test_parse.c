/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of ours and of other writers, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vmdk/parse.h"

static struct mkrootfs_error error;

#define FIRST "# Disk DescriptorFile\n"
#define HEAD FIRST "version=1\nparentCID=ffffffff\n"

static void what_is_written_is_read_back(void **state)
{
	static const struct vmdk_extent extents[] = {
		{ "fsmeta.erofs", 8 },
		{ "a name = with # all.erofs", 1 },
		{ "\xff\xfe.erofs", 1ull << 40 },
	};
	struct buf text = BUF_INIT(VMDK_DESCRIPTOR_MAX);
	struct vmdk_disk disk;

	(void)state;
	assert_int_equal(vmdk_describe(&text, extents, 3, &error), 0);
	if (vmdk_parse(&disk, text.data, text.len, &error) < 0)
		fail_msg("%s", error.message);
	assert_int_equal(disk.count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(disk.extents[i].name, extents[i].name);
		assert_int_equal(disk.extents[i].sectors, extents[i].sectors);
	}
	vmdk_disk_free(&disk);
	buf_free(&text);
}

/* The extents as "name:sectors " each. */
static const struct {
	const char *text, *extents;
} accepted[] = {
	{ HEAD "RW 8 FLAT \"a\" 0\n", "a:8 " },
	{ HEAD "RW 8 FLAT \"a\" 0", "a:8 " },
	{ HEAD "RW 8 FLAT \"a\"\n", "a:8 " },
	{ HEAD "RDONLY 8 FLAT \"a\" 0\n", "a:8 " },
	{ HEAD "RW 8 VMFS \"a-flat.vmdk\"\n", "a-flat.vmdk:8 " },
	{ HEAD "\trw  8 flat\t\"a b\"   0 \n", "a b:8 " },
	{ HEAD "RW 1 FLAT \"a\" 0\nRW 2 FLAT \"a\" 0\n", "a:1 a:2 " },
	{ HEAD "RW 1 FLAT \"...\" 0\n", "...:1 " },
	{ HEAD "encoding=\"UTF-8\"\nRW 8 FLAT \"a\" 0\n\n#DDB\nddb.uuid = \"x\"\n", "a:8 " },
	{ "# Disk DescriptorFile\r\nversion=1\r\nparentCID=ffffffff\r\nRW 8 FLAT \"a\" 0\r\n",
	  "a:8 " },
	{ FIRST "version = 3\nparentCID = FFFFFFFF\nRW 8 FLAT \"a\" 0\n", "a:8 " },
};

static void reads_what_other_writers_write(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
		char found[256] = "";
		struct vmdk_disk disk;

		if (vmdk_parse(&disk, (const uint8_t *)accepted[i].text, strlen(accepted[i].text),
			       &error) < 0)
			fail_msg("%s: %s", accepted[i].text, error.message);
		for (size_t k = 0; k < disk.count; k++)
			sprintf(found + strlen(found), "%s:%llu ", disk.extents[k].name,
				(unsigned long long)disk.extents[k].sectors);
		assert_string_equal(found, accepted[i].extents);
		vmdk_disk_free(&disk);
	}
}

static const struct {
	const char *text;
	int status;
	const char *says;
} refused[] = {
	{ "", MKROOTFS_ERROR_MALFORMED, "no VMDK descriptor" },
	{ "# Disk Descriptor", MKROOTFS_ERROR_MALFORMED, "no VMDK descriptor" },
	{ FIRST "parentCID=ffffffff\nRW 8 FLAT \"a\" 0\n", MKROOTFS_ERROR_MALFORMED,
	  "lacks version" },
	{ FIRST "version=1\nRW 8 FLAT \"a\" 0\n", MKROOTFS_ERROR_MALFORMED, "lacks parentCID" },
	{ HEAD, MKROOTFS_ERROR_MALFORMED, "no extents" },
	{ HEAD "version=9\n", MKROOTFS_ERROR_UNSUPPORTED, "line 4: an unknown version" },
	{ FIRST "version=1\nparentCID=12345678\n", MKROOTFS_ERROR_UNSUPPORTED, "difference" },
	{ HEAD "garbage\n", MKROOTFS_ERROR_MALFORMED, "line 4: neither" },
	{ HEAD "RW 8 SPARSE \"a\"\n", MKROOTFS_ERROR_UNSUPPORTED, "type FLAT" },
	{ HEAD "RW 8 ZERO\n", MKROOTFS_ERROR_UNSUPPORTED, "type FLAT" },
	{ HEAD "NOACCESS 8 FLAT \"a\" 0\n", MKROOTFS_ERROR_UNSUPPORTED, "must not be read" },
	{ HEAD "RW 8 FLAT \"a\" 1\n", MKROOTFS_ERROR_UNSUPPORTED, "within its file" },
	{ HEAD "RW 8 FLAT \"a\" x\n", MKROOTFS_ERROR_MALFORMED, "offset" },
	{ HEAD "RW 8 FLAT \"a\" 0 0\n", MKROOTFS_ERROR_MALFORMED, "offset" },
	{ HEAD "RW 8 FLAT a 0\n", MKROOTFS_ERROR_MALFORMED, "no name in quotes" },
	{ HEAD "RW 8 FLAT\n", MKROOTFS_ERROR_MALFORMED, "no name in quotes" },
	{ HEAD "RW 8 FLAT \"a 0\n", MKROOTFS_ERROR_MALFORMED, "closing quote" },
	{ HEAD "RW 8 FLAT \"\n", MKROOTFS_ERROR_MALFORMED, "no name in quotes" },
	{ HEAD "RW 8 FLAT \"\" 0\n", MKROOTFS_ERROR_MALFORMED, "length" },
	{ HEAD "RW 8 FLAT \"/etc/passwd\" 0\n", MKROOTFS_ERROR_MALFORMED, "beside" },
	{ HEAD "RW 8 FLAT \"b/a\" 0\n", MKROOTFS_ERROR_MALFORMED, "beside" },
	{ HEAD "RW 8 FLAT \"..\" 0\n", MKROOTFS_ERROR_MALFORMED, "beside" },
	{ HEAD "RW 0 FLAT \"a\" 0\n", MKROOTFS_ERROR_MALFORMED, "no sectors" },
	{ HEAD "RW -1 FLAT \"a\" 0\n", MKROOTFS_ERROR_MALFORMED, "number of sectors" },
	{ HEAD "RW FLAT \"a\" 0\n", MKROOTFS_ERROR_MALFORMED, "number of sectors" },
	{ HEAD "RW 0x8 FLAT \"a\" 0\n", MKROOTFS_ERROR_MALFORMED, "number of sectors" },
	{ HEAD "RW 99999999999999999999999 FLAT \"a\" 0\n", MKROOTFS_ERROR_MALFORMED,
	  "number of sectors" },
	{ HEAD "RW 18014398509481984 FLAT \"a\" 0\n", MKROOTFS_ERROR_MALFORMED, "too large" },
	{ HEAD "RW 18014398509481983 FLAT \"a\" 0\nRW 1 FLAT \"b\" 0\n", MKROOTFS_ERROR_MALFORMED,
	  "too large" },
};

static void refuses_what_is_another_disk(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct vmdk_disk disk;
		int status = vmdk_parse(&disk, (const uint8_t *)refused[i].text,
					strlen(refused[i].text), &error);

		if (status != refused[i].status || !strstr(error.message, refused[i].says))
			fail_msg("%s: %d, %s", refused[i].text, status, error.message);
		assert_null(disk.extents);
	}
}

static void a_nul_and_names_of_any_length(void **state)
{
	static const char nul[] = HEAD "RW 8 FLAT \"a\0b\" 0\n";
	char text[2048];
	struct vmdk_disk disk;

	(void)state;
	assert_int_equal(vmdk_parse(&disk, (const uint8_t *)nul, sizeof(nul) - 1, &error),
			 MKROOTFS_ERROR_MALFORMED);
	for (int len = 511; len <= 512; len++) {
		int size = sprintf(text, HEAD "RW 8 FLAT \"%0*d\" 0\n", len, 0);

		assert_int_equal(vmdk_parse(&disk, (const uint8_t *)text, (size_t)size, &error),
				 len > 511 ? MKROOTFS_ERROR_MALFORMED : 0);
		vmdk_disk_free(&disk);
	}
}

static void the_number_of_extents_is_capped(void **state)
{
	struct buf text = BUF_INIT(VMDK_DESCRIPTOR_MAX);
	struct vmdk_disk disk;

	(void)state;
	buf_append_string(&text, HEAD, &error);
	for (unsigned i = 0; i < VMDK_EXTENTS_MAX; i++)
		buf_append_string(&text, "RW 8 FLAT \"a\" 0\n", &error);
	assert_int_equal(vmdk_parse(&disk, text.data, text.len, &error), 0);
	assert_int_equal(disk.count, VMDK_EXTENTS_MAX);
	vmdk_disk_free(&disk);
	buf_append_string(&text, "RW 8 FLAT \"a\" 0\n", &error);
	assert_int_equal(vmdk_parse(&disk, text.data, text.len, &error), MKROOTFS_ERROR_LIMIT);
	buf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(reads_what_other_writers_write),
		cmocka_unit_test(refuses_what_is_another_disk),
		cmocka_unit_test(a_nul_and_names_of_any_length),
		cmocka_unit_test(the_number_of_extents_is_capped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
