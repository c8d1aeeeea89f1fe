/* SPDX-License-Identifier: Apache-2.0 */
/* Which sources a configuration gives; tests/integration/test_mirrors.py asks skopeo the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oci/pull_sources.h"

#define SHA "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define REGISTRY "[[registry]]\n"
#define MIRROR "[[registry.mirror]]\n"

static const char *status_name(int status)
{
	return status == MKROOTFS_ERROR_DENIED	      ? "denied"
	       : status == MKROOTFS_ERROR_INVALID     ? "invalid"
	       : status == MKROOTFS_ERROR_MALFORMED   ? "malformed"
	       : status == MKROOTFS_ERROR_UNSUPPORTED ? "unsupported"
						      : "other";
}

/* The sources' names, each followed by "!" when insecure, with spaces between; or the error. */
static char *find(const char *conf_text, const char *mirror, const char *name)
{
	struct pull_sources_options options = { .mirrors = { mirror ? 1 : 0, &mirror } };
	struct mkrootfs_error error = { .message = "" };
	struct buf out = BUF_INIT(1 << 16);
	struct registries_conf *conf;
	struct pull_sources sources = { 0 };
	struct reference reference;
	int status;

	assert_int_equal(registries_conf_create(&conf, &error), 0);
	assert_int_equal(reference_parse(&reference, name, &error), 0);
	options.conf = conf;
	status = registries_conf_add(conf, "FILE", conf_text, strlen(conf_text), &error);
	if (status == 0)
		status = pull_sources_find(&sources, &reference, &options, &error);
	if (status < 0)
		buf_printf(&out, &error, "%s: %s", status_name(status), error.message);
	for (size_t i = 0; i < sources.count; i++)
		buf_printf(&out, &error, "%s%s%s", i ? " " : "", sources.items[i].reference.text,
			   sources.items[i].insecure ? "!" : "");
	pull_sources_free(&sources);
	registries_conf_free(conf);
	return (char *)out.data;
}

static const struct {
	const char *conf, *mirror, *name, *sources;
} cases[] = {
	/* No configuration, or none for the name. */
	{ "", NULL, "x", "docker.io/library/x:latest" },
	{ REGISTRY "location='quay.io'\ninsecure=true", NULL, "x:1", "docker.io/library/x:1" },
	{ REGISTRY "prefix='docker.io/libr'\nlocation='m.io'", NULL, "x:1",
	  "docker.io/library/x:1" },
	{ "unqualified-search-registries=['quay.io']\nshort-name-mode='x'\nunknown=1", NULL, "x:1",
	  "docker.io/library/x:1" },
	/* Location and insecure. */
	{ REGISTRY "location='docker.io'\ninsecure=true", NULL, "x:1", "docker.io/library/x:1!" },
	{ REGISTRY "prefix='docker.io'\nlocation='m.io'", NULL, "x:1", "m.io/library/x:1" },
	{ REGISTRY "prefix='docker.io'\nlocation='m.io:5000/hub/'", NULL, "x:1",
	  "m.io:5000/hub/library/x:1" },
	{ REGISTRY "prefix='docker.io/library'\nlocation='m.io/y'", NULL, "x@" SHA,
	  "m.io/y/x@" SHA },
	{ REGISTRY "prefix='docker.io/library/x'\nlocation='m.io/y'", NULL, "x:1@" SHA,
	  "m.io/y:1@" SHA },
	{ REGISTRY "prefix='a.io/b'", NULL, "a.io/b/c:1", "a.io/b/c:1" },
	{ REGISTRY "prefix='A.io/b/'\nlocation='M.io'", NULL, "a.io/b/c:1", "m.io/c:1" },
	{ REGISTRY "prefix='[::1]:5000'\nlocation='m.io'", NULL, "[::1]:5000/c:1", "m.io/c:1" },
	/* As other programs have it, a host covers its ports. */
	{ REGISTRY "prefix='a.io'\nlocation='m.io'", NULL, "a.io:5000/c:1", "m.io:5000/c:1" },
	{ REGISTRY "prefix='a.io'\ninsecure=true", NULL, "a.io:5000/c:1", "a.io:5000/c:1!" },
	/* Tags and digests can be part of a prefix, and then of the location. */
	{ REGISTRY "prefix='a.io/b:1'\nlocation='m.io/c:2'", NULL, "a.io/b:1", "m.io/c:2" },
	{ REGISTRY "prefix='a.io/b:1'\nlocation='m.io/c:2'", NULL, "a.io/b:11", "a.io/b:11" },
	/* The longest prefix; of equal ones the first. */
	{ REGISTRY "prefix='a.io'\nlocation='m.io'\n" REGISTRY
		   "prefix='a.io/b'\nlocation='n.io'\n" REGISTRY
		   "prefix='a.io/b/c/d'\nlocation='o.io'",
	  NULL, "a.io/b/c:1", "n.io/c:1" },
	{ REGISTRY "prefix='a.io'\nlocation='m.io'\n" REGISTRY "prefix='a.io'\nlocation='n.io'",
	  NULL, "a.io/c:1", "m.io/c:1" },
	/* Wildcards. */
	{ REGISTRY "prefix='*.a.io'\ninsecure=true", NULL, "x.y.a.io/c:1", "x.y.a.io/c:1!" },
	{ REGISTRY "prefix='*.a.io'\nlocation='m.io/a'", NULL, "x.a.io/c:1", "m.io/a/c:1" },
	{ REGISTRY "prefix='*.a.io'\nlocation='m.io'", NULL, "a.io/c:1", "a.io/c:1" },
	{ REGISTRY "prefix='*.a.io'\nlocation='m.io'", NULL, "xa.io/c:1", "xa.io/c:1" },
	{ REGISTRY "prefix='*.a.io'\nlocation='m.io'", NULL, "b.io/x.a.io/c:1", "b.io/x.a.io/c:1" },
	{ REGISTRY "prefix='*.a.io'\ninsecure=true", NULL, "x.a.io:5000/c:1", "x.a.io:5000/c:1!" },
	/* Mirrors. */
	{ REGISTRY "location='a.io'\n" MIRROR "location='m.io'\n" MIRROR
		   "location='n.io/p'\ninsecure=true",
	  NULL, "a.io/c:1", "m.io/c:1 n.io/p/c:1! a.io/c:1" },
	{ REGISTRY "prefix='a.io/b'\nlocation='o.io'\n" MIRROR "location='m.io'", NULL,
	  "a.io/b/c:1", "m.io/c:1 o.io/c:1" },
	{ REGISTRY
	  "location='a.io'\n" MIRROR "location='m.io'\npull-from-mirror='digest-only'\n" MIRROR
	  "location='n.io'\npull-from-mirror='tag-only'\n" MIRROR
	  "location='o.io'\npull-from-mirror='all'\n" MIRROR "location='p.io'\npull-from-mirror=''",
	  NULL, "a.io/c:1", "n.io/c:1 o.io/c:1 p.io/c:1 a.io/c:1" },
	{ REGISTRY "location='a.io'\n" MIRROR
		   "location='m.io'\npull-from-mirror='digest-only'\n" MIRROR
		   "location='n.io'\npull-from-mirror='tag-only'",
	  NULL, "a.io/c:1@" SHA, "m.io/c:1@" SHA " a.io/c:1@" SHA },
	{ REGISTRY "location='a.io'\nmirror-by-digest-only=true\n" MIRROR "location='m.io'", NULL,
	  "a.io/c:1", "a.io/c:1" },
	{ REGISTRY "location='a.io'\nmirror-by-digest-only=true\n" MIRROR "location='m.io'", NULL,
	  "a.io/c@" SHA, "m.io/c@" SHA " a.io/c@" SHA },
	/* A mirror of the command line comes first, for any registry. */
	{ "", "m.io/", "x:1", "m.io/library/x:1 docker.io/library/x:1" },
	{ "", "m.io/hub", "a.io/x:1@" SHA, "m.io/hub/x:1@" SHA " a.io/x:1@" SHA },
	{ REGISTRY "location='a.io'\n" MIRROR "location='n.io'", "m.io:80", "a.io/x:1",
	  "m.io:80/x:1 n.io/x:1 a.io/x:1" },
	{ "", "http://m.io", "x:1", "invalid: mirror 'http://m.io': leave out the URL's scheme" },
	{ "", "hub", "x:1", "invalid: mirror 'hub': 'hub' is no registry: it has no '.' or ':'" },
	{ "", "/", "x:1", "invalid: mirror '/': '' is no registry: it has no '.' or ':'" },
	/* Blocked, as asked or as what it leads to. */
	{ REGISTRY "location='a.io'\nblocked=true", NULL, "a.io/x:1",
	  "denied: a.io/x:1: 'a.io' is blocked by 'FILE', line 1" },
	{ REGISTRY "prefix='a.io'\nlocation='m.io'\nblocked=true", "n.io", "a.io/x:1",
	  "denied: a.io/x:1: 'a.io' is blocked by 'FILE', line 1" },
	{ REGISTRY "prefix='a.io/x@" SHA "'\nblocked=true", NULL, "a.io/x@" SHA,
	  "denied: a.io/x@" SHA ": 'a.io/x@" SHA "' is blocked by 'FILE', line 1" },
	{ REGISTRY "location='a.io'\nblocked=true\n" REGISTRY "prefix='a.io/b'", NULL, "a.io/b/x:1",
	  "a.io/b/x:1" },
	{ REGISTRY "prefix='a.io'\nlocation='m.io'\n" REGISTRY "location='m.io'\nblocked=true",
	  NULL, "a.io/x:1", "denied: m.io/x:1: 'm.io' is blocked by 'FILE', line 4" },
	{ REGISTRY "location='a.io'\n" MIRROR "location='m.io'\n" REGISTRY
		   "location='m.io'\nblocked=true",
	  NULL, "a.io/x:1", "a.io/x:1" },
	/* What cannot be rewritten. */
	{ REGISTRY "prefix='a.io'\nlocation='m.io:80'", NULL, "a.io:5000/c:1",
	  "invalid: 'FILE', line 1: location 'm.io:80': image reference" },
	{ REGISTRY "prefix='a.io'\nlocation='m/n'", NULL, "a.io/c:1",
	  "invalid: 'FILE', line 1: location 'm/n': 'm' is no registry: it has no '.' or ':'" },
	{ REGISTRY "prefix='a.io/b:1'\nlocation='m.io/c'", NULL, "a.io/b:1",
	  "invalid: 'FILE', line 1: location 'm.io/c': it has no tag or digest, as its prefix "
	  "has" },
	/* What is wrong in a file, for any name. */
	{ "[registries.search]\nregistries=['a']", NULL, "x",
	  "unsupported: 'FILE': line 1: [registries] is version 1 of the format, which is not "
	  "supported" },
	{ "registry=1", NULL, "x", "malformed: 'FILE': line 1: 'registry' is an integer" },
	{ "registry=['x']", NULL, "x", "malformed: 'FILE': line 1: 'registry' is a string" },
	{ REGISTRY "insecure=true", NULL, "x",
	  "malformed: 'FILE': line 1: a registry without a prefix and a location" },
	{ REGISTRY "location=1", NULL, "x",
	  "malformed: 'FILE': line 2: 'location' is an integer, not a string" },
	{ REGISTRY "location='/'", NULL, "x", "malformed: 'FILE': line 2: 'location' is empty" },
	{ REGISTRY "location='https://a.io'", NULL, "x",
	  "malformed: 'FILE': line 2: location 'https://a.io': leave out the URL's scheme" },
	{ REGISTRY "location='a.io'\ninsecure='true'", NULL, "x",
	  "malformed: 'FILE': line 3: 'insecure' is a string, not a boolean" },
	{ REGISTRY "location='a.io'\nblocked=1", NULL, "x",
	  "malformed: 'FILE': line 3: 'blocked' is an integer, not a boolean" },
	{ REGISTRY "prefix='a.*.io'\nlocation='a.io'", NULL, "x",
	  "malformed: 'FILE': line 1: prefix 'a.*.io': '*' can only begin" },
	{ REGISTRY "prefix='*.a.io/b'\nlocation='a.io'", NULL, "x",
	  "malformed: 'FILE': line 1: prefix '*.a.io/b': '*' can only begin" },
	{ REGISTRY "location='a.io'\n" MIRROR "insecure=true", NULL, "x",
	  "malformed: 'FILE': line 3: a mirror without a location" },
	{ REGISTRY "location='a.io'\n" MIRROR "location='b.io'\npull-from-mirror='x'", NULL, "x",
	  "malformed: 'FILE': line 5: 'pull-from-mirror' is 'all', 'digest-only' or" },
	{ REGISTRY "location='a.io'\nmirror-by-digest-only=true\n" MIRROR
		   "location='b.io'\npull-from-mirror='all'",
	  NULL, "x", "malformed: 'FILE': line 6: 'pull-from-mirror' cannot be used beside" },
	{ "[aliases]\nx=1", NULL, "x", "malformed: 'FILE': line 2: alias 'x' is an integer" },
	{ "aliases=1", NULL, "x", "malformed: 'FILE': line 1: 'aliases' is an integer" },
	{ "a=", NULL, "x", "malformed: 'FILE': line 1, column 3: a value is missing" },
};

static void finds_the_sources(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *found = find(cases[i].conf, cases[i].mirror, cases[i].name);
		const char *wanted = cases[i].sources;

		/* Messages by their beginning, sources to the end. */
		if (strncmp(found, wanted, strlen(wanted)) != 0 ||
		    (!strstr(wanted, ": ") && strcmp(found, wanted) != 0))
			fail_msg("%s\n%s: %s\ninstead of %s", cases[i].conf, cases[i].name, found,
				 wanted);
		free(found);
	}
}

static const struct {
	const char *text, *resolved; /* NULL: an error */
} names[] = {
	{ "fedora", "quay.io/f/fedora" },
	{ "fedora:40", "quay.io/f/fedora:40" },
	{ "fedora:40@" SHA, "quay.io/f/fedora:40@" SHA },
	{ "a/b", "localhost/ab" },
	{ "a/b/c", "a/b/c" },
	{ "later", "new.io/x" },
	{ "gone", "gone" },
	{ "none", "none" },
	{ "docker://fedora", "docker://fedora" },
	{ "oci:fedora", "oci:fedora" },
	{ "host.io/fedora", "host.io/fedora" },
	{ "tagged", NULL },
	{ "unqualified", NULL },
};

static void short_names_may_be_aliases(void **state)
{
	static const char *const files[] = {
		"[aliases]\nfedora='quay.io/f/fedora'\n'a/b'='localhost/ab'\nlater='old.io/x'\n"
		"gone='old.io/y'\ntagged='a.io/x:1'\nunqualified='x'\n",
		"[aliases]\nlater='new.io/x'\ngone=''\n",
	};
	struct mkrootfs_error error;
	struct registries_conf *conf;
	bool alias;

	(void)state;
	assert_int_equal(registries_conf_create(&conf, &error), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(
			registries_conf_add(conf, "FILE", files[i], strlen(files[i]), &error), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct buf out = BUF_INIT(4096);
		int status = registries_conf_resolve(&out, &alias, conf, names[i].text, &error);

		assert_int_equal(status, names[i].resolved ? 0 : MKROOTFS_ERROR_INVALID);
		if (names[i].resolved) {
			assert_string_equal((char *)out.data, names[i].resolved);
			assert_int_equal(alias, strcmp(names[i].text, names[i].resolved) != 0);
		}
		buf_free(&out);
	}
	registries_conf_free(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_sources),
		cmocka_unit_test(short_names_may_be_aliases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
