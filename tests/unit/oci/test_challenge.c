/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "oci/challenge.h"

static const struct {
	const char *header;
	bool bearer, basic;
	const char *realm, *service, *scope;
} accepted[] = {
	{ "Bearer realm=\"https://a/t\",service=\"s\",scope=\"repository:x:pull\"", true, false,
	  "https://a/t", "s", "repository:x:pull" },
	{ "Bearer scope=\"p\" , service=\"s\" ,realm=\"https://a/t\"", true, false, "https://a/t",
	  "s", "p" },
	{ "bearer REALM=\"https://a/t\"", true, false, "https://a/t", "", "" },
	{ "Bearer realm=https://a/t?x=1,service=s", true, false, "https://a/t?x=1", "s", "" },
	{ "Bearer realm = \"r\" , service = s", true, false, "r", "s", "" },
	/* Commas and escapes within quotes. */
	{ "Bearer realm=\"r\",scope=\"repository:a/b:pull,push\"", true, false, "r", "",
	  "repository:a/b:pull,push" },
	{ "Bearer realm=\"r\",service=\"a \\\"b\\\\ c\"", true, false, "r", "a \"b\\ c", "" },
	{ "Bearer realm=\"r, service=\\\"x\\\"\"", true, false, "r, service=\"x\"", "", "" },
	{ "Bearer realm=\"r\",service=\"\"", true, false, "r", "", "" },
	/* Several challenges, also unknown ones with parameters or a token68. */
	{ "Basic realm=\"b\", Bearer realm=\"r\",service=\"s\"", true, true, "r", "s", "" },
	{ "Bearer realm=\"r\", Basic realm=\"b\"", true, true, "r", "", "" },
	{ "Negotiate, Bearer realm=\"r\"", true, false, "r", "", "" },
	{ "Negotiate YII+/=, Bearer realm=\"r\"", true, false, "r", "", "" },
	{ "Digest realm=\"d\", nonce=\"n\", qop=\"a,b\", Bearer realm=\"r\"", true, false, "r", "",
	  "" },
	{ "Bearer realm=\"r1\", Bearer realm=\"r2\",service=\"s2\"", true, false, "r1", "", "" },
	{ "Bearer realm=\"r1\",realm=\"r2\"", true, false, "r1", "", "" },
	{ "Basic realm=\"b\"", false, true, "", "", "" },
	{ "Basic", false, true, "", "", "" },
	{ ",, Bearer realm=r ,,", true, false, "r", "", "" },
	{ "Bearer realm=\"r\",error=\"invalid_token\",unknown=\"u\"", true, false, "r", "", "" },
	{ "", false, false, "", "", "" },
};

static void reads_challenges(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
		struct mkrootfs_error error = { .message = "" };
		struct challenge c;

		if (challenge_parse(&c, accepted[i].header, &error) < 0)
			fail_msg("%s: %s", accepted[i].header, error.message);
		assert_int_equal(c.bearer, accepted[i].bearer);
		assert_int_equal(c.basic, accepted[i].basic);
		assert_string_equal(c.realm, accepted[i].realm);
		assert_string_equal(c.service, accepted[i].service);
		assert_string_equal(c.scope, accepted[i].scope);
	}
}

static const char *const refused[] = {
	"Bearer",
	"Bearer service=\"s\"",
	"Bearer realm=\"\"",
	"Bearer realm=\"open",
	"Bearer realm=\"open\\\"",
	"Bearer realm=\"r\" \"stray\"",
	"=x",
	"\"x\"",
	"Bearer\x01realm=r",
};

static void refuses_broken_headers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct mkrootfs_error error;
		struct challenge c;

		if (challenge_parse(&c, refused[i], &error) != MKROOTFS_ERROR_MALFORMED)
			fail_msg("%s was taken", refused[i]);
		assert_false(c.bearer);
		assert_null(strchr(error.message, '\x01'));
	}
}

static void refuses_what_does_not_fit(void **state)
{
	struct mkrootfs_error error;
	struct challenge c;
	char header[4096];

	(void)state;
	snprintf(header, sizeof(header), "Bearer realm=\"%02047d\"", 0);
	assert_int_equal(challenge_parse(&c, header, &error), 0);
	assert_int_equal(strlen(c.realm), 2047);
	snprintf(header, sizeof(header), "Bearer realm=\"%02048d\"", 0);
	assert_int_equal(challenge_parse(&c, header, &error), MKROOTFS_ERROR_MALFORMED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_challenges),
		cmocka_unit_test(refuses_broken_headers),
		cmocka_unit_test(refuses_what_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
