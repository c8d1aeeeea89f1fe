/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader beside libarchive: on which archives both agree, and where libarchive 3.6 does not do
 * what is asked for here, which is why it is not used.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>

#include "tar_peer.h"
#include "tar_recipe.h"

static char folder[] = RECIPE_FOLDER;
static struct peer peer;

static const char *const same[] = {
	"good-sparse",	    "good-types",	  "good-xattrs",
	"numbers-base256",  "pax-size-overrides", "pax-global-last",
	"ends-nothing",	    "ends-two-blocks",	  "ends-one-block",
	"ends-record",	    "ends-without-marks", "ends-with-one-mark",
	"ends-before-junk", "ends-before-more",	  "ends-with-much-padding",
	"links-at-the-end",
};

/* Where the peer is known to differ. Lines of the listings, or parts of lines. */
static const struct {
	const char *archive;
	const char *ours;
	const char *theirs;
} different[] = {
	/* Names are converted between UTF-8 and the locale, and composed: two become one. */
	{ "good-names", "\nfile e\\xcc\\x81 ", "\nfile \\xc3\\xa9 mode=0644 size=1 0:\"d\"" },
	/* A NUL cuts a name short. */
	{ "bad-nul-in-name", "the name holds a NUL", "file a " },
	/* Global headers are ignored. */
	{ "good-pax", "\nfile a mode=0644 uid=5 mtime=7", "\nfile a mode=0644 size=0\n" },
	/* Ids are not checked, and junk is 0: the superuser. */
	{ "bad-uid-32", "uid 4294967296 is out of range", "uid=4294967296" },
	{ "bad-uid-40", "uid 1099511627776 is out of range", "uid=1099511627776" },
	{ "bad-uid-minus", "uid -1 is out of range", "uid=-1" },
	{ "bad-uid-text", "uid 'root' is no number", "file a mode=0644 size=0\n" },
	/* Fractions of times before 1970 count in the wrong direction. */
	{ "peer-times", "file t3 mode=0644 mtime=-2+500000000",
	  "file t3 mode=0644 mtime=-1+500000000" },
	{ "peer-times", "file t5 mode=0644 mtime=-1+500000000",
	  "file t5 mode=0644 mtime=0+500000000" },
	/* Both spellings of an attribute are handed out, and a label without its NUL. */
	{ "xattrs-spellings",
	  "file mac mode=0644 size=0 xattr.user.k=\"a\" xattr.user.l=", "xattr.user.k=\"b\"" },
	{ "xattrs-spellings", "xattr.security.selinux=\"system_u:object_r:bin_t:s0\\0\"",
	  "xattr.security.selinux=\"system_u:object_r:bin_t:s0\"" },
	/* In pax archives a hard link with a size but no content swallows the next member. */
	{ "good-links", "\nhardlink i -> a ", "error: Damaged tar archive" },
	/* A short padding at the end is refused, zeros that make no block are no archive. */
	{ "ends-in-padding", "file a mode=0644 size=1 0:\"x\"\n", "error: Truncated" },
	{ "ends-short", "", "error: Unrecognized archive format" },
	/* Bad records are skipped, with what they said. */
	{ "bad-record-long", "error MALFORMED", "file a mode=0644 size=0\n" },
	/* Maps of sparse files are not checked. */
	{ "bad-sparse-overlap", "ranges overlap", "file a mode=0644 size=20 5:\"abc\" 7:\"d\"" },
	{ "bad-sparse-less", "3 bytes in ranges, but 2", "file a mode=0644 size=20 5:\"ab\"" },
	/* A header field that a record overrides is decoded all the same. */
	{ "peer-override", "file junk mode=0644 size=1 0:\"d\"",
	  "error: Tar entry has negative size" },
	/* A v7 header has no device numbers, so this one would be a whiteout. */
	{ "bad-v7-device", "has no device number", "character c 0:0 " },
};

/* Archives that only this test needs. */
static const char own_recipes[] = "== peer-times\n"
				  "file t3 mtime=-1.5\n"
				  "file t5 pax.mtime=-0.5\n"
				  "== peer-override\n"
				  "file junk pax.size=1 field.size=\"\\xffjunk\" data=d\n";

static void list_both(struct buf *ours, struct buf *theirs, const char *archive)
{
	size_t len;
	uint8_t *data = recipe_read(&len, folder, archive);

	assert_non_null(data);
	tar_listing(ours, data, len, 4096);
	peer_listing(theirs, &peer, data, len);
	free(data);
}

/* Drops the lines that only tell of warnings. */
static void drop_warnings(struct buf *text)
{
	char *from = (char *)text->data, *to = from;

	while (from && *from) {
		size_t len = strcspn(from, "\n") + 1;

		if (strncmp(from, "warning: ", 9) != 0) {
			memmove(to, from, len);
			to += len;
		}
		from += len;
	}
	if (to)
		*to = '\0';
}

static void agrees_with_libarchive(void **state)
{
	int differ = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		struct buf ours = BUF_INIT(64 << 20), theirs = BUF_INIT(64 << 20);
		struct buf text = BUF_INIT(64 << 20);

		list_both(&ours, &theirs, same[i]);
		drop_warnings(&ours);
		drop_warnings(&theirs);
		if (listing_differs(&text, (char *)theirs.data, (char *)ours.data)) {
			print_error("%s: libarchive is 'expected'\n%s", same[i], (char *)text.data);
			differ = 1;
		}
		buf_free(&text);
		buf_free(&ours);
		buf_free(&theirs);
	}
	assert_int_equal(differ, 0);
}

static void differs_where_libarchive_does_not_do(void **state)
{
	int failed = 0;

	(void)state;
	if (peer.version_number() / 1000 != 3006)
		skip(); /* other versions may have other faults */
	for (size_t i = 0; i < sizeof(different) / sizeof(different[0]); i++) {
		struct buf ours = BUF_INIT(64 << 20), theirs = BUF_INIT(64 << 20);

		list_both(&ours, &theirs, different[i].archive);
		if (!strstr((char *)ours.data, different[i].ours) ||
		    !strstr((char *)theirs.data, different[i].theirs)) {
			print_error("%s\nours:\n%stheirs:\n%s", different[i].archive,
				    (char *)ours.data, (char *)theirs.data);
			failed = 1;
		}
		buf_free(&ours);
		buf_free(&theirs);
	}
	assert_int_equal(failed, 0);
}

static void build_own_recipes(void)
{
	char command[4096];
	FILE *tool;

	snprintf(command, sizeof(command), "python3 '%s' - -o '%s'", RECIPE_TOOL, folder);
	tool = popen(command, "w");
	assert_non_null(tool);
	fputs(own_recipes, tool);
	assert_int_equal(pclose(tool), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_libarchive),
		cmocka_unit_test(differs_where_libarchive_does_not_do),
	};
	int failed;

	setlocale(LC_ALL, "C.UTF-8");
	if (!recipe_available() || peer_open(&peer) < 0)
		return 0;
	recipe_build_all(folder, "'" FIXTURES "'/tar/*.recipe");
	build_own_recipes();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	recipe_remove(folder);
	peer_close(&peer);
	return failed;
}
