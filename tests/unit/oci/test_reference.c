/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "oci/reference.h"

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define SHA "sha256:" HEX
#define TEN "xxxxxxxxxx"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static const struct {
	const char *in;
	const char *registry;
	const char *repository;
	const char *tag;
	bool digest;
	const char *text;
} images[] = {
	{ "python", "docker.io", "library/python", "latest", false,
	  "docker.io/library/python:latest" },
	{ "python:3.12", "docker.io", "library/python", "3.12", false,
	  "docker.io/library/python:3.12" },
	{ "docker://python:3.12", "docker.io", "library/python", "3.12", false,
	  "docker.io/library/python:3.12" },
	{ "docker.io/python", "docker.io", "library/python", "latest", false,
	  "docker.io/library/python:latest" },
	{ "index.docker.io/library/python", "docker.io", "library/python", "latest", false,
	  "docker.io/library/python:latest" },
	{ "registry-1.docker.io/u/x:1", "docker.io", "u/x", "1", false, "docker.io/u/x:1" },
	{ "Docker.IO/u/x:1", "docker.io", "u/x", "1", false, "docker.io/u/x:1" },
	{ "u/x", "docker.io", "u/x", "latest", false, "docker.io/u/x:latest" },
	{ "a/b", "docker.io", "a/b", "latest", false, "docker.io/a/b:latest" },
	/* The first component decides where the host ends. */
	{ "localhost:5000/a/b", "localhost:5000", "a/b", "latest", false,
	  "localhost:5000/a/b:latest" },
	{ "localhost:5000/a/b:t", "localhost:5000", "a/b", "t", false, "localhost:5000/a/b:t" },
	{ "h.x:4567/i", "h.x:4567", "i", "latest", false, "h.x:4567/i:latest" },
	{ "localhost/i", "localhost", "i", "latest", false, "localhost/i:latest" },
	{ "localhost:5000", "docker.io", "library/localhost", "5000", false,
	  "docker.io/library/localhost:5000" },
	{ "local/i", "docker.io", "local/i", "latest", false, "docker.io/local/i:latest" },
	{ "127.0.0.1:5000/x", "127.0.0.1:5000", "x", "latest", false, "127.0.0.1:5000/x:latest" },
	{ "[::1]:5000/x:1", "[::1]:5000", "x", "1", false, "[::1]:5000/x:1" },
	{ "[FE80::1]/x", "[fe80::1]", "x", "latest", false, "[fe80::1]/x:latest" },
	{ "gcr.io/a/b/c/d:v1", "gcr.io", "a/b/c/d", "v1", false, "gcr.io/a/b/c/d:v1" },
	/* The digest decides, the tag is a label. */
	{ "python@" SHA, "docker.io", "library/python", "", true, "docker.io/library/python@" SHA },
	{ "python:3.12@" SHA, "docker.io", "library/python", "3.12", true,
	  "docker.io/library/python:3.12@" SHA },
	{ "h.x:1/a:b@" SHA, "h.x:1", "a", "b", true, "h.x:1/a:b@" SHA },
	/* The grammar of repositories and tags. */
	{ "a.b_c__d-e---f/x", "a.b_c__d-e---f", NULL, NULL, false, NULL },
	{ "q/a.b_c__d-e---f0", "docker.io", "q/a.b_c__d-e---f0", "latest", false,
	  "docker.io/q/a.b_c__d-e---f0:latest" },
	{ "x:_T.a-g_", "docker.io", "library/x", "_T.a-g_", false, "docker.io/library/x:_T.a-g_" },
	{ "dir/x:1", "docker.io", "dir/x", "1", false, "docker.io/dir/x:1" },
	{ "docker:dind", "docker.io", "library/docker", "dind", false,
	  "docker.io/library/docker:dind" },
	{ "docker://dir:5000/x:1", "dir:5000", "x", "1", false, "docker://dir:5000/x:1" },
	{ "docker://oci:5000/x:1", "oci:5000", "x", "1", false, "docker://oci:5000/x:1" },
	{ "docker://tar:5000/x:1", "tar:5000", "x", "1", false, "docker://tar:5000/x:1" },
	{ "docker://dir:1", "docker.io", "library/dir", "1", false, "docker.io/library/dir:1" },
};

static void parses_images(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
		struct mkrootfs_error error = { .message = "" };
		struct reference r;
		int status = reference_parse(&r, images[i].in, &error);

		if (!images[i].repository) {
			assert_int_equal(status, MKROOTFS_ERROR_INVALID);
			continue;
		}
		if (status < 0)
			fail_msg("%s", error.message);
		assert_int_equal(r.kind, REFERENCE_REGISTRY);
		assert_string_equal(r.registry, images[i].registry);
		assert_string_equal(r.repository, images[i].repository);
		assert_string_equal(r.tag, images[i].tag);
		assert_int_equal(r.has_digest, images[i].digest);
		assert_string_equal(r.text, images[i].text);
	}
}

/* What is printed as canonical must mean itself. */
static void canonical_text_is_stable(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
		struct mkrootfs_error error;
		struct reference r;

		if (!images[i].text)
			continue;
		assert_int_equal(reference_parse(&r, images[i].text, &error), 0);
		assert_string_equal(r.text, images[i].text);
	}
}

static const struct {
	const char *in;
	enum reference_kind kind;
	const char *path;
	const char *tag;
	int number;
	bool digest;
} places[] = {
	{ "oci:out", REFERENCE_LAYOUT, "out", "", -1, false },
	{ "oci:/a/b/out:3.12", REFERENCE_LAYOUT, "/a/b/out", "3.12", -1, false },
	{ "oci:out:localhost/x:1.0", REFERENCE_LAYOUT, "out", "localhost/x:1.0", -1, false },
	{ "oci:out@" SHA, REFERENCE_LAYOUT, "out", "", -1, true },
	{ "oci:out:n@" SHA, REFERENCE_LAYOUT, "out", "n", -1, true },
	{ "oci:o@ut:n", REFERENCE_LAYOUT, "o@ut", "n", -1, false },
	{ "oci-archive:x.tar", REFERENCE_OCI_ARCHIVE, "x.tar", "", -1, false },
	{ "oci-archive:-:a/b:1@" SHA, REFERENCE_OCI_ARCHIVE, "-", "a/b:1", -1, true },
	{ "docker-archive:x.tar", REFERENCE_DOCKER_ARCHIVE, "x.tar", "", -1, false },
	{ "docker-archive:/a/x.tar:x", REFERENCE_DOCKER_ARCHIVE, "/a/x.tar",
	  "docker.io/library/x:latest", -1, false },
	{ "docker-archive:x:h.x:5000/a:1", REFERENCE_DOCKER_ARCHIVE, "x", "h.x:5000/a:1", -1,
	  false },
	{ "docker-archive:-:@0", REFERENCE_DOCKER_ARCHIVE, "-", "", 0, false },
	{ "docker-archive:x:@12", REFERENCE_DOCKER_ARCHIVE, "x", "", 12, false },
	{ "dir:a:b/c@d", REFERENCE_DIRECTORY, "a:b/c@d", "", -1, false },
	{ "tar:a:b", REFERENCE_TAR, "a:b", "", -1, false },
	{ "tar:-", REFERENCE_TAR, "-", "", -1, false },
};

static void parses_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct mkrootfs_error error = { .message = "" };
		struct reference r;

		if (reference_parse(&r, places[i].in, &error) < 0)
			fail_msg("%s", error.message);
		assert_int_equal(r.kind, places[i].kind);
		assert_string_equal(r.path, places[i].path);
		assert_string_equal(r.tag, places[i].tag);
		assert_int_equal(r.number, places[i].number);
		assert_int_equal(r.has_digest, places[i].digest);
		assert_string_equal(r.text, places[i].in);
		assert_int_equal(
			strncmp(r.text, reference_scheme(r.kind), strlen(reference_scheme(r.kind))),
			0);
		assert_int_equal(reference_is_stdin(&r), !strcmp(r.path, "-"));
	}
}

static const struct {
	const char *in;
	int status;
	const char *says;
} refused[] = {
	{ "", MKROOTFS_ERROR_INVALID, "empty" },
	{ "Foo/bar", MKROOTFS_ERROR_INVALID, "repository name must be lowercase" },
	{ "foo/Bar:1", MKROOTFS_ERROR_INVALID, "repository name must be lowercase" },
	{ "Python", MKROOTFS_ERROR_INVALID, "repository name must be lowercase" },
	{ "a//b", MKROOTFS_ERROR_INVALID, "components" },
	{ "/a", MKROOTFS_ERROR_INVALID, "components" },
	{ "a/", MKROOTFS_ERROR_INVALID, "components" },
	{ "a/../b", MKROOTFS_ERROR_INVALID, "" },
	{ "h.x/../b", MKROOTFS_ERROR_INVALID, "components" },
	{ "-a", MKROOTFS_ERROR_INVALID, "components" },
	{ "a-", MKROOTFS_ERROR_INVALID, "components" },
	{ "a___b", MKROOTFS_ERROR_INVALID, "components" },
	{ "a..b", MKROOTFS_ERROR_INVALID, "components" },
	{ "a._b", MKROOTFS_ERROR_INVALID, "components" },
	{ "a b", MKROOTFS_ERROR_INVALID, "components" },
	{ "a?b", MKROOTFS_ERROR_INVALID, "components" },
	{ "a%2e", MKROOTFS_ERROR_INVALID, "components" },
	{ "caf\xc3\xa9", MKROOTFS_ERROR_INVALID, "components" },
	{ "a:", MKROOTFS_ERROR_INVALID, "tag is empty" },
	{ "a:b:c", MKROOTFS_ERROR_INVALID, "components" },
	{ "a:.b", MKROOTFS_ERROR_INVALID, "tag may hold" },
	{ "a:-b", MKROOTFS_ERROR_INVALID, "tag may hold" },
	{ "a:b c", MKROOTFS_ERROR_INVALID, "tag may hold" },
	{ "a:" HUNDRED TEN TEN "123456789", MKROOTFS_ERROR_INVALID, "128" },
	{ HUNDRED HUNDRED TEN TEN TEN TEN "12345678", MKROOTFS_ERROR_INVALID, "255" },
	{ HEX, MKROOTFS_ERROR_INVALID, "image ID" },
	{ "a@" HEX, MKROOTFS_ERROR_INVALID, "digest" },
	{ "a@sha256:" HEX "0", MKROOTFS_ERROR_INVALID, "digest" },
	{ "a@sha256:ABC", MKROOTFS_ERROR_INVALID, "digest" },
	{ "a@" SHA "@" SHA, MKROOTFS_ERROR_INVALID, "digest" },
	{ "a@", MKROOTFS_ERROR_INVALID, "digest" },
	{ "a@md5:" HEX, MKROOTFS_ERROR_UNSUPPORTED, "digest algorithm" },
	{ "h.x:/a", MKROOTFS_ERROR_INVALID, "registry must be" },
	{ "h.x:0/a", MKROOTFS_ERROR_INVALID, "registry must be" },
	{ "h.x:65536/a", MKROOTFS_ERROR_INVALID, "registry must be" },
	{ "h.x:1x/a", MKROOTFS_ERROR_INVALID, "registry must be" },
	{ "h_.x/a", MKROOTFS_ERROR_INVALID, "registry must be" },
	{ "-h.x/a", MKROOTFS_ERROR_INVALID, "registry must be" },
	{ "h..x/a", MKROOTFS_ERROR_INVALID, "registry must be" },
	{ "[::g]:5/a", MKROOTFS_ERROR_INVALID, "registry must be" },
	{ "[::1/a", MKROOTFS_ERROR_INVALID, "registry must be" },
	{ "[127.0.0.1]/a", MKROOTFS_ERROR_INVALID, "registry must be" },
	{ "u:p@h.x/a", MKROOTFS_ERROR_INVALID, "digest" },
	{ "https://h.x/a", MKROOTFS_ERROR_INVALID, "scheme" },
	{ "docker://", MKROOTFS_ERROR_INVALID, "components" },
	{ "docker-archive:", MKROOTFS_ERROR_INVALID, "file is empty" },
	{ "docker-archive:x.tar:", MKROOTFS_ERROR_INVALID, "name behind the file is empty" },
	{ "docker-archive:x.tar:Foo", MKROOTFS_ERROR_INVALID, "NAME:TAG or @NUMBER" },
	{ "docker-archive:x.tar:oci:x", MKROOTFS_ERROR_INVALID, "NAME:TAG or @NUMBER" },
	{ "docker-archive:x.tar:x@" SHA, MKROOTFS_ERROR_INVALID, "no digest" },
	{ "docker-archive:x.tar:@", MKROOTFS_ERROR_INVALID, "number" },
	{ "docker-archive:x.tar:@-1", MKROOTFS_ERROR_INVALID, "number" },
	{ "docker-archive:x.tar:@1x", MKROOTFS_ERROR_INVALID, "number" },
	{ "docker-archive:x.tar:@1234567", MKROOTFS_ERROR_INVALID, "number" },
	{ "docker-daemon:x:1", MKROOTFS_ERROR_UNSUPPORTED, "'docker-daemon:'" },
	{ "oci-archive:", MKROOTFS_ERROR_INVALID, "file is empty" },
	{ "oci-archive:x:", MKROOTFS_ERROR_INVALID, "name behind the file is empty" },
	{ "oci-archive:x:a b", MKROOTFS_ERROR_INVALID, "name may hold" },
	{ "dir:", MKROOTFS_ERROR_INVALID, "folder is empty" },
	{ "tar:", MKROOTFS_ERROR_INVALID, "file is empty" },
	{ "tarball:x", MKROOTFS_ERROR_UNSUPPORTED, "'tarball:'" },
	{ "containers-storage:x", MKROOTFS_ERROR_UNSUPPORTED, "'containers-storage:'" },
	{ "oci:", MKROOTFS_ERROR_INVALID, "folder is empty" },
	{ "oci::x", MKROOTFS_ERROR_INVALID, "folder is empty" },
	{ "oci:x:", MKROOTFS_ERROR_INVALID, "name behind the folder is empty" },
	{ "oci:x:a b", MKROOTFS_ERROR_INVALID, "name may hold" },
	{ "oci:x@sha256:12", MKROOTFS_ERROR_INVALID, "digest" },
};

static void refuses_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct mkrootfs_error error = { .message = "" };
		struct reference r, zero;
		int status = reference_parse(&r, refused[i].in, &error);

		memset(&zero, 0, sizeof(zero));
		if (status != refused[i].status || !strstr(error.message, refused[i].says))
			fail_msg("%s: %d %s", refused[i].in, status, error.message);
		assert_memory_equal(&r, &zero, sizeof(r));
	}
}

static void accepts_the_longest(void **state)
{
	struct mkrootfs_error error;
	struct reference r;

	(void)state;
	assert_int_equal(reference_parse(&r, "a:" HUNDRED TEN TEN "12345678", &error), 0);
	/* With "library/" 255 bytes. */
	assert_int_equal(reference_parse(&r, HUNDRED HUNDRED TEN TEN TEN TEN "1234567", &error), 0);
	assert_int_equal(strlen(r.repository), 255);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_images),       cmocka_unit_test(canonical_text_is_stable),
		cmocka_unit_test(parses_places),       cmocka_unit_test(refuses_by_name),
		cmocka_unit_test(accepts_the_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
