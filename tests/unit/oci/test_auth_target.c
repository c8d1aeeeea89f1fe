/* SPDX-License-Identifier: Apache-2.0 */
/* What users name to log in to, and the key of auth files that it becomes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "oci/auth_target.h"

/* key NULL: it is refused. */
static const struct {
	const char *text, *key, *registry, *path;
} targets[] = {
	{ "ghcr.io", "ghcr.io", "ghcr.io", "" },
	{ "GHCR.io/", "ghcr.io", "ghcr.io", "" },
	{ "quay.io/owner/", "quay.io/owner", "quay.io", "owner" },
	{ "h:5000/a/b", "h:5000/a/b", "h:5000", "a/b" },
	{ "localhost", "localhost", "localhost", "" },
	{ "localhost/a.b", "localhost/a.b", "localhost", "a.b" },
	{ "localhost:5000", "localhost:5000", "localhost:5000", "" },
	{ "[::1]:5000", "[::1]:5000", "[::1]:5000", "" },
	{ "https://ghcr.io/v2/x", "ghcr.io", "ghcr.io", "" },
	{ "http://h:1", "h:1", "h:1", "" },
	{ "https://index.docker.io/v1/", "docker.io", "docker.io", "" },
	{ "registry-1.docker.io/x", "docker.io/x", "docker.io", "x" },
	/* Hosts, even if they are named as transports are. */
	{ "oci:5000", "oci:5000", "oci:5000", "" },
	{ "docker-Archive:3/x", "docker-archive:3/x", "docker-archive:3", "x" },
	{ "", NULL, NULL, NULL },
	{ "/", NULL, NULL, NULL },
	{ "foo", NULL, NULL, NULL },
	{ "foo/bar", NULL, NULL, NULL },
	{ "foo/a.b", NULL, NULL, NULL },
	{ "https://", NULL, NULL, NULL },
	{ "https://foo", NULL, NULL, NULL },
	{ "docker://ghcr.io", NULL, NULL, NULL },
	{ "docker://foo", NULL, NULL, NULL },
	{ "oci:x", NULL, NULL, NULL },
	{ "ghcr.io//a", NULL, NULL, NULL },
	{ "ghcr.io/Owner", NULL, NULL, NULL },
	{ "ghcr.io/a:1", NULL, NULL, NULL },
	{ "ghcr.io/a@sha256:0", NULL, NULL, NULL },
	{ "u:p@ghcr.io", NULL, NULL, NULL },
	{ "a b.io", NULL, NULL, NULL },
};

static void parses_targets(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		struct mkrootfs_error error;
		struct auth_target target;
		int status = auth_target_parse(&target, targets[i].text, &error);

		if (!targets[i].key && status == MKROOTFS_ERROR_INVALID)
			continue;
		if (!targets[i].key || status < 0)
			fail_msg("'%s': %d, %s", targets[i].text, status,
				 status < 0 ? error.message : target.key);
		assert_string_equal(target.key, targets[i].key);
		assert_string_equal(target.reference.registry, targets[i].registry);
		assert_string_equal(target.path, targets[i].path);
		assert_int_equal(target.reference.kind, REFERENCE_REGISTRY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(parses_targets) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
