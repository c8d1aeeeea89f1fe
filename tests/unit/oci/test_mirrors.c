/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that answer by a script; tests/integration/test_mirrors.py has real registries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oci/mirrors.h"

#define INDEX "{\"schemaVersion\":2,\"manifests\":[]}"
#define OTHER_INDEX "{\"schemaVersion\":2,\"manifests\":[],\"x\":1}"
#define SOURCES 3
#define LETTERS "abc"

/* What a source does with its next requests; the last entry stays. NULL bytes: it fails. */
struct step {
	const char *bytes;
	int status;
};

struct fake {
	struct transport transport;
	char letter;
	const struct step *manifest, *blob;
};

/* The letters of the sources that were asked, in order; upper case: for a blob. */
static char asked[256];
static char warnings[4096];
static unsigned closed;

static int answer(const struct step **step, struct fake *fake, const char **bytes,
		  struct mkrootfs_error *error)
{
	const struct step *now = *step;

	if (now[1].bytes || now[1].status)
		*step = now + 1;
	*bytes = now->bytes;
	return now->bytes ? 0 : error_set(error, now->status, "cause of %c", fake->letter);
}

static int fake_manifest(struct transport *transport, struct transport_document *out,
			 const char *tag_or_digest, struct mkrootfs_error *error)
{
	struct fake *fake = (struct fake *)transport;
	const char *bytes;

	(void)tag_or_digest;
	strncat(asked, &fake->letter, 1);
	if (answer(&fake->manifest, fake, &bytes, error) < 0)
		return error->status;
	return buf_append_string(&out->bytes, bytes, error);
}

static int fake_blob(struct transport *transport, struct source **out,
		     const struct descriptor *descriptor, uint64_t offset,
		     struct mkrootfs_error *error)
{
	struct fake *fake = (struct fake *)transport;
	char letter = (char)(fake->letter - 'a' + 'A');
	const char *bytes;

	(void)descriptor;
	(void)offset;
	*out = NULL;
	strncat(asked, &letter, 1);
	if (answer(&fake->blob, fake, &bytes, error) < 0)
		return error->status;
	return source_memory(out, bytes, strlen(bytes), error);
}

static void fake_close(struct transport *transport)
{
	(void)transport;
	closed++;
}

static const struct transport_ops fake_ops = { fake_manifest, fake_blob, fake_close, NULL };

static void warn(void *user, const char *text)
{
	assert_ptr_equal(user, warnings);
	strcat(strcat(warnings, text), "\n");
}

static struct fake fakes[SOURCES];
static struct reference reference;

static const struct step good[] = { { INDEX, 0 }, { 0 } };
static const struct step not_found[] = { { NULL, MKROOTFS_ERROR_NOT_FOUND }, { 0 } };
static const struct step no_network[] = { { NULL, MKROOTFS_ERROR_NETWORK }, { 0 } };
static const struct step full_disk[] = { { NULL, MKROOTFS_ERROR_NO_SPACE }, { 0 } };
static const struct step cancelled[] = { { NULL, MKROOTFS_ERROR_CANCELLED }, { 0 } };
static const struct step web_page[] = { { "<html>", 0 }, { 0 } };
static const struct step other[] = { { OTHER_INDEX, 0 }, { 0 } };

static struct transport *open_sources(const char *name, const struct step *const manifests[SOURCES],
				      const struct step *const blobs[SOURCES])
{
	const struct mirrors_options options = { &reference, warn, warnings };
	struct mirror_source sources[SOURCES];
	const char *const names[SOURCES] = { "source-a", "source-b", "source-c" };
	struct mkrootfs_error error;
	struct transport *transport;

	asked[0] = warnings[0] = '\0';
	closed = 0;
	assert_int_equal(reference_parse(&reference, name, &error), 0);
	for (int i = 0; i < SOURCES; i++) {
		fakes[i] = (struct fake){ { &fake_ops },
					  LETTERS[i],
					  manifests ? manifests[i] : good,
					  blobs ? blobs[i] : good };
		sources[i] = (struct mirror_source){ &fakes[i].transport, names[i] };
	}
	assert_int_equal(mirrors_open(&transport, sources, SOURCES, &options, &error), 0);
	return transport;
}

static void close_sources(struct transport *transport)
{
	transport_close(transport);
	assert_int_equal(closed, SOURCES);
}

/* "name" of which the digest is that of INDEX. */
static const char *with_digest(const char *name)
{
	static char text[256];
	char digest[DIGEST_TEXT_SIZE];
	struct mkrootfs_error error;
	struct digest d;

	digest_of(&d, DIGEST_SHA256, INDEX, strlen(INDEX), &error);
	digest_format(digest, &d);
	snprintf(text, sizeof(text), "%s@%s", name, digest);
	return text;
}

static const struct {
	const struct step *manifests[SOURCES];
	bool by_digest;
	int status;
	const char *asked, *warned; /* letters */
	const char *message;
} fetches[] = {
	{ { good, good, good }, false, 0, "a", "", NULL },
	{ { not_found, good, good }, false, 0, "ab", "a", NULL },
	{ { no_network, web_page, good }, false, 0, "abc", "ab", NULL },
	{ { web_page, good, good }, true, 0, "ab", "a", NULL },
	{ { other, good, good }, false, 0, "a", "", NULL },
	{ { other, good, good }, true, 0, "ab", "a", NULL },
	{ { other, other, other },
	  true,
	  MKROOTFS_ERROR_DIGEST,
	  "abc",
	  "ab",
	  "source-c: the manifest" },
	{ { no_network, no_network, not_found },
	  false,
	  MKROOTFS_ERROR_NOT_FOUND,
	  "abc",
	  "ab",
	  "image docker.io/library/x:latest: cause of c; before that: source-a: cause of a; "
	  "source-b: cause of b" },
	{ { full_disk, good, good }, false, MKROOTFS_ERROR_NO_SPACE, "a", "", "" },
	{ { not_found, cancelled, good }, false, MKROOTFS_ERROR_CANCELLED, "ab", "a", "" },
};

static void count_warnings(const char *letters)
{
	unsigned lines = 0;

	for (const char *at = warnings; (at = strchr(at, '\n')); at++)
		lines++;
	assert_int_equal(lines, strlen(letters));
	for (; *letters; letters++) {
		char name[] = "passed over a source: source-?: ";

		*strchr(name, '?') = *letters;
		assert_non_null(strstr(warnings, name));
	}
}

static void a_manifest_comes_from_the_first_that_has_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(fetches) / sizeof(fetches[0]); i++) {
		struct transport_document document = { .bytes = BUF_INIT(1024) };
		const char *name = fetches[i].by_digest ? with_digest("x") : "x";
		struct transport *transport = open_sources(name, fetches[i].manifests, NULL);
		struct mkrootfs_error error = { .message = "" };
		int status = transport_fetch_manifest(transport, &document, NULL, &error);

		assert_int_equal(status, fetches[i].status);
		assert_string_equal(asked, fetches[i].asked);
		count_warnings(fetches[i].warned);
		if (fetches[i].message && !strchr(fetches[i].message, ';'))
			assert_true(status < 0);
		else if (fetches[i].message)
			assert_string_equal(error.message, fetches[i].message);
		buf_free(&document.bytes);
		close_sources(transport);
	}
}

/* A digest that is given by the caller decides, whatever the reference says. */
static void a_document_is_checked_by_its_digest(void **state)
{
	const struct step *const manifests[] = { other, web_page, good };
	struct transport_document document = { .bytes = BUF_INIT(1024) };
	struct transport *transport = open_sources("x", manifests, NULL);
	struct mkrootfs_error error;

	(void)state;
	assert_int_equal(transport_fetch_manifest(transport, &document,
						  strchr(with_digest("x"), '@') + 1, &error),
			 0);
	assert_string_equal((char *)document.bytes.data, INDEX);
	assert_string_equal(asked, "abc");
	buf_free(&document.bytes);
	close_sources(transport);
}

/* The bytes that the transport lends for a blob; empty for an error. */
static int open_blob(char out[16], struct transport *transport, const struct descriptor *blob,
		     struct mkrootfs_error *error)
{
	struct buf bytes = BUF_INIT(15);
	struct source *source;
	int status = transport_open_blob(transport, &source, blob, 0, error);

	out[0] = '\0';
	if (status < 0)
		return status;
	assert_int_equal(source_read_all(&bytes, source, error), 0);
	strcpy(out, (char *)bytes.data);
	buf_free(&bytes);
	source_close(source);
	return 0;
}

static const struct step bytes_a[] = { { "a", 0 }, { 0 } };
static const struct step bytes_b[] = { { "b", 0 }, { 0 } };
static const struct step bytes_c[] = { { "c", 0 }, { 0 } };
static const struct step *const all_bytes[] = { bytes_a, bytes_b, bytes_c };

static const struct descriptor first_blob = { .digest = { DIGEST_SHA256, { 1 } }, .size = 1 };
static const struct descriptor second_blob = { .digest = { DIGEST_SHA256, { 2 } }, .size = 1 };

static void a_wrong_blob_comes_from_the_next(void **state)
{
	struct transport *transport = open_sources("x", NULL, all_bytes);
	struct mkrootfs_error error;
	char got[16];

	(void)state;
	assert_int_equal(open_blob(got, transport, &first_blob, &error), 0);
	assert_string_equal(got, "a");
	error_set(&error, MKROOTFS_ERROR_DIGEST, "wrong");
	assert_true(transport_next_source(transport, &first_blob, &error));
	assert_int_equal(open_blob(got, transport, &first_blob, &error), 0);
	assert_string_equal(got, "b");
	/* The other blob has nothing to do with it. */
	assert_int_equal(open_blob(got, transport, &second_blob, &error), 0);
	assert_string_equal(got, "a");
	error_set(&error, MKROOTFS_ERROR_MALFORMED, "wrong");
	assert_true(transport_next_source(transport, &first_blob, &error));
	assert_int_equal(open_blob(got, transport, &first_blob, &error), 0);
	assert_string_equal(got, "c");
	error_set(&error, MKROOTFS_ERROR_DIGEST, "very wrong");
	assert_false(transport_next_source(transport, &first_blob, &error));
	assert_string_equal(error.message,
			    "very wrong; before that: source-a: wrong; source-b: wrong");
	/* It has been told: nothing goes round in circles. */
	assert_false(transport_next_source(transport, &first_blob, &error));
	count_warnings("ab");
	close_sources(transport);
}

/* What happened on this machine, or to a blob that was never asked for, is no source's fault. */
static void other_failures_are_no_reason(void **state)
{
	static const int local[] = { MKROOTFS_ERROR_IO, MKROOTFS_ERROR_NO_SPACE,
				     MKROOTFS_ERROR_NO_MEMORY, MKROOTFS_ERROR_CANCELLED,
				     MKROOTFS_ERROR_INVALID };
	struct transport *transport = open_sources("x", NULL, all_bytes);
	struct mkrootfs_error error;
	char got[16];

	(void)state;
	error_set(&error, MKROOTFS_ERROR_DIGEST, "wrong");
	assert_false(transport_next_source(transport, &first_blob, &error));
	for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++) {
		assert_int_equal(open_blob(got, transport, &first_blob, &error), 0);
		error_set(&error, local[i], "wrong");
		assert_false(transport_next_source(transport, &first_blob, &error));
		assert_string_equal(error.message, "wrong");
	}
	assert_string_equal(warnings, "");
	close_sources(transport);
}

/* One that could not be reached is asked last from then on; one without a blob is not. */
static void who_did_not_answer_is_asked_last(void **state)
{
	static const struct step once[] = { { NULL, MKROOTFS_ERROR_NETWORK }, { "a", 0 }, { 0 } };
	static const struct step *const blobs[] = { once, not_found, bytes_c };
	struct transport *transport = open_sources("x", NULL, blobs);
	struct mkrootfs_error error;
	char got[16];

	(void)state;
	assert_int_equal(open_blob(got, transport, &first_blob, &error), 0);
	assert_string_equal(got, "c");
	assert_string_equal(asked, "ABC");
	assert_int_equal(open_blob(got, transport, &second_blob, &error), 0);
	assert_string_equal(asked, "ABCBC");
	error_set(&error, MKROOTFS_ERROR_DIGEST, "wrong");
	assert_true(transport_next_source(transport, &second_blob, &error));
	assert_int_equal(open_blob(got, transport, &second_blob, &error), 0);
	assert_string_equal(got, "a");
	close_sources(transport);
}

/* All fail at once: the error names each, and the caller's question does not begin anew. */
static void a_blob_that_nobody_has(void **state)
{
	static const struct step *const blobs[] = { no_network, not_found, not_found };
	struct transport *transport = open_sources("x", NULL, blobs);
	struct mkrootfs_error error;
	char got[16];

	(void)state;
	assert_int_equal(open_blob(got, transport, &first_blob, &error), MKROOTFS_ERROR_NOT_FOUND);
	assert_string_equal(error.message, "cause of c; before that: source-a: cause of a; "
					   "source-b: cause of b");
	assert_false(transport_next_source(transport, &first_blob, &error));
	assert_string_equal(asked, "ABC");
	close_sources(transport);
}

/* A source that has no manifest is asked last for blobs. */
static void blobs_come_from_where_the_manifest_was(void **state)
{
	static const struct step *const manifests[] = { not_found, good, good };
	struct transport *transport = open_sources("x", manifests, all_bytes);
	struct transport_document document = { .bytes = BUF_INIT(1024) };
	struct mkrootfs_error error;
	char got[16];

	(void)state;
	assert_int_equal(transport_fetch_manifest(transport, &document, NULL, &error), 0);
	assert_int_equal(open_blob(got, transport, &first_blob, &error), 0);
	assert_string_equal(got, "b");
	buf_free(&document.bytes);
	close_sources(transport);
}

static void causes_fit_one_line(void **state)
{
	const struct mirrors_options options = { &reference, NULL, NULL };
	struct mirror_source sources[64];
	struct fake many[64];
	struct mkrootfs_error error;
	struct transport *transport;
	char name[300], got[16];

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	closed = 0;
	asked[0] = '\0';
	for (int i = 0; i < 64; i++) {
		many[i] = (struct fake){ { &fake_ops }, 'z', no_network, no_network };
		sources[i] = (struct mirror_source){ &many[i].transport, name };
	}
	assert_int_equal(mirrors_open(&transport, sources, 64, &options, &error), 0);
	assert_int_equal(open_blob(got, transport, &first_blob, &error), MKROOTFS_ERROR_NETWORK);
	assert_int_equal(strlen(asked), 64);
	assert_non_null(strstr(error.message, "and 60 more"));
	transport_close(transport);
	assert_int_equal(closed, 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_manifest_comes_from_the_first_that_has_it),
		cmocka_unit_test(a_document_is_checked_by_its_digest),
		cmocka_unit_test(a_wrong_blob_comes_from_the_next),
		cmocka_unit_test(other_failures_are_no_reason),
		cmocka_unit_test(who_did_not_answer_is_asked_last),
		cmocka_unit_test(a_blob_that_nobody_has),
		cmocka_unit_test(blobs_come_from_where_the_manifest_was),
		cmocka_unit_test(causes_fit_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
