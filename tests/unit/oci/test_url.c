/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "oci/url.h"

static const struct {
	const char *url;
	const char *host; /* NULL: refused */
	int port;
	bool https;
} origins[] = {
	{ "https://ghcr.io/v2/", "ghcr.io", 443, true },
	{ "HTTPS://GHCR.io", "ghcr.io", 443, true },
	{ "http://a.b:5000/x?y#z", "a.b", 5000, false },
	{ "http://a.b?x", "a.b", 80, false },
	{ "https://[::1]:5000/", "::1", 5000, true },
	{ "https://a:65535", "a", 65535, true },
	{ "https://a/b@c", "a", 443, true },
	{ "file:///etc/passwd", NULL, 0, false },
	{ "ftp://a/", NULL, 0, false },
	{ "//a/", NULL, 0, false },
	{ "https:/a", NULL, 0, false },
	{ "https://", NULL, 0, false },
	{ "https:///x", NULL, 0, false },
	{ "https://u@a/", NULL, 0, false },
	{ "https://u:p@a/", NULL, 0, false },
	/* Where two parsers could disagree. */
	{ "https://a\\@b/", NULL, 0, false },
	{ "https://a\\b/", NULL, 0, false },
	{ "https://a b/", NULL, 0, false },
	{ "https://a/\tb", NULL, 0, false },
	{ "https://a/\r\nX: y", NULL, 0, false },
	{ "https://\xc3\xa9/", NULL, 0, false },
	{ "https://a%2eb/", NULL, 0, false },
	{ "https://a:/", NULL, 0, false },
	{ "https://a:0/", NULL, 0, false },
	{ "https://a:65536/", NULL, 0, false },
	{ "https://a:123456/", NULL, 0, false },
	{ "https://a:1x/", NULL, 0, false },
	{ "https://a:1:2/", NULL, 0, false },
	{ "https://[::1", NULL, 0, false },
	{ "https://[::1]x/", NULL, 0, false },
	{ "https://[]/", NULL, 0, false },
	{ "https://[fe80::1%25eth0]/", NULL, 0, false },
};

static void reads_origins(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++) {
		struct mkrootfs_error error;
		struct url_origin o;
		int status = url_origin_parse(&o, origins[i].url, &error);

		if (!origins[i].host) {
			if (status != MKROOTFS_ERROR_MALFORMED)
				fail_msg("%s was taken", origins[i].url);
			continue;
		}
		assert_int_equal(status, 0);
		assert_string_equal(o.host, origins[i].host);
		assert_int_equal(o.port, origins[i].port);
		assert_int_equal(o.https, origins[i].https);
	}
}

static const struct {
	const char *a, *b;
	bool equal;
} pairs[] = {
	{ "https://a/x", "https://A:443/y", true },
	{ "https://a", "http://a", false },
	{ "https://a:443", "http://a:443", false },
	{ "http://a", "http://a:81", false },
	{ "http://a", "http://b", false },
	{ "http://127.0.0.1:5000", "http://127.0.0.2:5000", false },
};

static void compares_origins(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct mkrootfs_error error;
		struct url_origin a, b;

		assert_int_equal(url_origin_parse(&a, pairs[i].a, &error), 0);
		assert_int_equal(url_origin_parse(&b, pairs[i].b, &error), 0);
		assert_int_equal(url_origin_equal(&a, &b), pairs[i].equal);
	}
}

static void knows_loopback(void **state)
{
	(void)state;
	assert_true(url_host_is_loopback("localhost"));
	assert_true(url_host_is_loopback("127.0.0.1"));
	assert_true(url_host_is_loopback("127.255.1.2"));
	assert_true(url_host_is_loopback("::1"));
	assert_false(url_host_is_loopback("localhost.evil.example"));
	assert_false(url_host_is_loopback("127.0.0.1.evil.example"));
	assert_false(url_host_is_loopback("128.0.0.1"));
	assert_false(url_host_is_loopback("::2"));
	assert_false(url_host_is_loopback("10.0.0.1"));
}

static void encodes_all_but_unreserved(void **state)
{
	struct buf out = BUF_INIT(1000);
	struct mkrootfs_error error;

	(void)state;
	assert_int_equal(url_append_encoded(&out, "aZ0-._~ :/?&=+%\xff\n", &error), 0);
	assert_string_equal((char *)out.data, "aZ0-._~%20%3A%2F%3F%26%3D%2B%25%FF%0A");
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_origins),
		cmocka_unit_test(compares_origins),
		cmocka_unit_test(knows_loopback),
		cmocka_unit_test(encodes_all_but_unreserved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
