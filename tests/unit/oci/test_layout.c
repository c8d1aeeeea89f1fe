/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "layout_maker.h"
#include "oci/document.h"
#include "oci/layout.h"

#define TYPE "'mediaType':'" MEDIA_OCI_MANIFEST "'"

static struct reference refer(const struct maker *m, const char *suffix)
{
	struct mkrootfs_error error;
	struct reference r;
	char text[512];

	snprintf(text, sizeof(text), "oci:%s%s", m->path, suffix);
	assert_int_equal(reference_parse(&r, text, &error), 0);
	return r;
}

static int open_layout(struct transport **out, const struct maker *m, const char *suffix,
		       struct mkrootfs_error *error)
{
	struct reference r = refer(m, suffix);

	return layout_open(out, &r, error);
}

/* Opens and fetches what suffix names. */
static int fetch(struct transport_document *out, const struct maker *m, const char *suffix,
		 struct mkrootfs_error *error)
{
	struct transport *t;
	int status = open_layout(&t, m, suffix, error);

	*out = (struct transport_document){ .bytes = BUF_INIT(DOCUMENT_MAX_SIZE) };
	if (status == 0)
		status = transport_fetch_manifest(t, out, NULL, error);
	transport_close(t);
	return status;
}

static void expect(const struct maker *m, const char *suffix, int status, const char *says)
{
	struct mkrootfs_error error = { .message = "" };
	struct transport_document d;
	int got = fetch(&d, m, suffix, &error);

	if (got != status)
		fail_msg("%s: %d %s", suffix, got, error.message);
	if (status < 0 && !strstr(error.message, says))
		fail_msg("%s: %s", suffix, error.message);
	if (status == 0)
		assert_string_equal((char *)d.bytes.data, says);
	buf_free(&d.bytes);
}

static void two_entries(struct maker *m, const char *first, const char *second)
{
	char text[2048], digest[DIGEST_TEXT_SIZE];

	maker_blob(m, "one");
	strcpy(digest, m->digest);
	maker_blob(m, "second");
	snprintf(text, sizeof(text),
		 "{'schemaVersion':2,'manifests':[{" TYPE
		 ",'digest':'%s','size':3,'annotations':{%s}},"
		 "{" TYPE ",'digest':'%s','size':6,'annotations':{%s}}]}",
		 digest, first, m->digest, second);
	maker_index(m, text);
}

static void one_entry(struct maker *m)
{
	char text[1024];

	maker_blob(m, "one");
	snprintf(text, sizeof(text),
		 "{'schemaVersion':2,'manifests':[{" TYPE ",'digest':'%s','size':3}]}", m->digest);
	maker_index(m, text);
}

static void chooses_by_name(void **state)
{
	struct maker m;

	(void)state;
	maker_open(&m);
	two_entries(&m, "'org.opencontainers.image.ref.name':'a'",
		    "'org.opencontainers.image.ref.name':'localhost/b:1'");
	expect(&m, ":a", 0, "one");
	expect(&m, ":localhost/b:1", 0, "second");
	expect(&m, ":b", MKROOTFS_ERROR_NOT_FOUND,
	       "no image is named 'b'; there are: a, localhost/b:1");
	expect(&m, "", MKROOTFS_ERROR_NOT_FOUND,
	       "there are 2 images; say which one of: a, localhost/b:1");
	two_entries(&m, "'org.opencontainers.image.ref.name':'a'",
		    "'org.opencontainers.image.ref.name':'a'");
	expect(&m, ":a", MKROOTFS_ERROR_MALFORMED, "several images are named 'a'");
	maker_close(&m);
}

static void takes_the_only_image(void **state)
{
	struct maker m;

	(void)state;
	maker_open(&m);
	one_entry(&m);
	expect(&m, "", 0, "one");
	expect(&m, ":x", MKROOTFS_ERROR_NOT_FOUND, "there are: none");
	maker_index(&m, "{'schemaVersion':2,'manifests':[]}");
	expect(&m, "", MKROOTFS_ERROR_NOT_FOUND, "there is no image in it");
	maker_close(&m);
}

static void index_of_nameless_images_is_the_image(void **state)
{
	struct mkrootfs_error error;
	struct transport_document d;
	struct maker m;

	(void)state;
	maker_open(&m);
	two_entries(&m, "", "");
	assert_int_equal(fetch(&d, &m, "", &error), 0);
	assert_non_null(strstr((char *)d.bytes.data, "\"manifests\""));
	assert_false(d.described);
	buf_free(&d.bytes);
	maker_close(&m);
}

static void fetches_by_digest(void **state)
{
	char suffix[DIGEST_TEXT_SIZE + 8];
	struct maker m;

	(void)state;
	maker_open(&m);
	two_entries(&m, "", "");
	snprintf(suffix, sizeof(suffix), "@%s", m.digest);
	expect(&m, suffix, 0, "second");
	snprintf(suffix, sizeof(suffix), ":label@%s", m.digest);
	expect(&m, suffix, 0, "second");
	suffix[strlen(suffix) - 1] ^= 1;
	expect(&m, suffix, MKROOTFS_ERROR_NOT_FOUND, "blobs/sha256/");
	maker_close(&m);
}

static int open_blob(const struct maker *m, struct mkrootfs_error *error)
{
	struct descriptor descriptor = { .size = 3 };
	struct transport *t;
	struct source *s;
	int status;

	assert_int_equal(digest_parse(&descriptor.digest, m->digest, error), 0);
	assert_int_equal(open_layout(&t, m, "", error), 0);
	status = transport_open_blob(t, &s, &descriptor, 0, error);
	source_close(s);
	transport_close(t);
	return status;
}

/* A pipe in the place of a blob would hang who reads it. */
static void blobs_are_regular_files(void **state)
{
	struct mkrootfs_error error;
	struct maker m;
	char path[512];

	(void)state;
	maker_open(&m);
	one_entry(&m);
	snprintf(path, sizeof(path), "%s/blobs/sha256/%s", m.path, m.digest + 7);
	assert_int_equal(open_blob(&m, &error), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(open_blob(&m, &error), MKROOTFS_ERROR_NOT_FOUND);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(open_blob(&m, &error), MKROOTFS_ERROR_MALFORMED);
	assert_non_null(strstr(error.message, "no regular file"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(open_blob(&m, &error), MKROOTFS_ERROR_MALFORMED);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_int_equal(open_blob(&m, &error), MKROOTFS_ERROR_MALFORMED);
	assert_non_null(strstr(error.message, "symbolic link"));
	maker_close(&m);
}

static const struct {
	const char *marker; /* content of oci-layout */
	int status;
	const char *says;
} markers[] = {
	{ "{\"imageLayoutVersion\":\"1.0.0\"}", 0, "one" },
	{ "{\"imageLayoutVersion\":\"1.1.0\",\"x\":1}", 0, "one" },
	{ "{\"imageLayoutVersion\":\"2.0.0\"}", MKROOTFS_ERROR_UNSUPPORTED, "'2.0.0'" },
	{ "{\"imageLayoutVersion\":1}", MKROOTFS_ERROR_MALFORMED, "no imageLayoutVersion" },
	{ "{}", MKROOTFS_ERROR_MALFORMED, "no imageLayoutVersion" },
	{ "1.0.0", MKROOTFS_ERROR_MALFORMED, "not JSON" },
	{ "", MKROOTFS_ERROR_MALFORMED, "not JSON" },
};

static void checks_the_marker(void **state)
{
	struct maker m;

	(void)state;
	maker_open(&m);
	one_entry(&m);
	for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++) {
		maker_file(&m, "oci-layout", markers[i].marker);
		expect(&m, "", markers[i].status, markers[i].says);
	}
	maker_close(&m);
}

static void says_what_is_missing(void **state)
{
	struct maker m, none = { .path = "/nonexistent/layout" };
	char path[128];

	(void)state;
	expect(&none, "", MKROOTFS_ERROR_NOT_FOUND, "image layout '/nonexistent/layout'");
	maker_open(&m);
	expect(&m, "", MKROOTFS_ERROR_NOT_FOUND, "'index.json'");
	maker_index(&m, "{'schemaVersion':2,'config':{},'layers':[]}");
	expect(&m, "", MKROOTFS_ERROR_MALFORMED, "is a manifest");
	snprintf(path, sizeof(path), "%s/oci-layout", m.path);
	assert_int_equal(unlink(path), 0);
	expect(&m, "", MKROOTFS_ERROR_NOT_FOUND, "neither oci-layout nor");
	maker_close(&m);
}

static void caps_the_index(void **state)
{
	struct maker m;
	char *huge = malloc(DOCUMENT_MAX_SIZE + 2);

	(void)state;
	maker_open(&m);
	memset(huge, ' ', DOCUMENT_MAX_SIZE + 1);
	huge[DOCUMENT_MAX_SIZE + 1] = '\0';
	maker_file(&m, "index.json", huge);
	expect(&m, "", MKROOTFS_ERROR_LIMIT, "4194304");
	free(huge);
	maker_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chooses_by_name),
		cmocka_unit_test(takes_the_only_image),
		cmocka_unit_test(index_of_nameless_images_is_the_image),
		cmocka_unit_test(fetches_by_digest),
		cmocka_unit_test(blobs_are_regular_files),
		cmocka_unit_test(checks_the_marker),
		cmocka_unit_test(says_what_is_missing),
		cmocka_unit_test(caps_the_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
