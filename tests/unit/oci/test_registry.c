/* SPDX-License-Identifier: Apache-2.0 */
/* The registry transport against a scripted registry; its scenarios are described there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scripted_group.h"
#include "transports.h"

struct outcome {
	int status;
	struct mkrootfs_error error;
	struct resolved_image *image;
};

/* Resolves and reads all layers. */
static struct outcome pull_with(int port, const char *name, const struct registry_options *options)
{
	struct outcome o = { .error = { .message = "" } };
	struct reference reference;
	struct transport *t = open_at(port, name, options, &reference);

	o.status = resolve(&o.image, t, &reference, &o.error);
	for (size_t i = 0; o.status == 0 && i < o.image->manifest.layer_count; i++)
		o.status = read_blob(t, &o.image->manifest.layers[i], &o.error);
	resolved_image_free(o.image);
	transport_close(t);
	return o;
}

static struct outcome pull(const char *name)
{
	static const struct registry_options options = {
		.settings = { .idle_timeout = 3, .retries = 1 }, .retry_delay = 1, .seed = 1
	};

	return pull_with(server.port, name, &options);
}

static const struct {
	const char *name;
	int status;
	const char *says;
} scenarios[] = {
	{ "open/x", 0, "" },
	{ "open/a/b/c:tag", 0, "" },
	{ "accept/x", 0, "" },
	{ "early/x", 0, "" },
	{ "untyped/x", 0, "" },
	/* Tokens. */
	{ "token/lib/x", 0, "" },
	{ "noservice/x", 0, "" },
	{ "several/x", 0, "" },
	{ "once/x", 0, "" },
	{ "denied/x", MKROOTFS_ERROR_DENIED, "HTTP 401 (UNAUTHORIZED: authentication required)" },
	{ "basic/x", MKROOTFS_ERROR_DENIED, "no credentials are known for it" },
	{ "nochallenge/x", MKROOTFS_ERROR_DENIED, "(UNAUTHORIZED: go away)" },
	{ "badchallenge/x", MKROOTFS_ERROR_MALFORMED, "WWW-Authenticate" },
	{ "realm_other/x", MKROOTFS_ERROR_DENIED, "http://other.invalid/token" },
	{ "realm_file/x", MKROOTFS_ERROR_MALFORMED, "only https and http" },
	{ "eviltoken/x", MKROOTFS_ERROR_MALFORMED, "no token may hold" },
	{ "notoken/x", MKROOTFS_ERROR_MALFORMED, "holds no token" },
	{ "hugetoken/x", MKROOTFS_ERROR_LIMIT, "token: more than 1048576 bytes" },
	{ "cuttoken/x", 0, "" },
	{ "shorttoken/x", MKROOTFS_ERROR_NETWORK, "bytes remaining" },
	{ "busytoken/x", MKROOTFS_ERROR_RATE_LIMIT, "token: 127.0.0.1 limits" },
	/* Redirects. */
	{ "moved/x", 0, "" },
	{ "moved_here/x", 0, "" },
	{ "moved_asks/x", MKROOTFS_ERROR_DENIED, "127.0.0.2 denies access" },
	{ "hops10/x", 0, "" },
	{ "hops11/x", MKROOTFS_ERROR_NETWORK, "more than 10 redirects" },
	{ "loop/x", MKROOTFS_ERROR_NETWORK, "more than 10 redirects" },
	{ "tofile/x", MKROOTFS_ERROR_MALFORMED, "file:///etc/passwd" },
	{ "toftp/x", MKROOTFS_ERROR_MALFORMED, "redirect: URL 'gopher://" },
	{ "touser/x", MKROOTFS_ERROR_MALFORMED, "user name" },
	{ "nolocation/x", MKROOTFS_ERROR_NETWORK, "HTTP 307" },
	/* Bodies and heads that do not end, or end early. */
	{ "endless/x", MKROOTFS_ERROR_LIMIT, "more than 4194304 bytes" },
	{ "endlesshead/x", MKROOTFS_ERROR_LIMIT, "head has more than 65536 bytes" },
	{ "longline/x", MKROOTFS_ERROR_NETWORK, "header line is too long" },
	{ "shortbody/x", MKROOTFS_ERROR_NETWORK, "bytes remaining" },
	{ "cutchunks/x", MKROOTFS_ERROR_NETWORK, "127.0.0.1: " },
	{ "longbody/x", MKROOTFS_ERROR_DIGEST, "more than the expected" },
	{ "stall/x", MKROOTFS_ERROR_NETWORK, "no byte came for 3 seconds" },
	{ "stallhead/x", MKROOTFS_ERROR_NETWORK, "no byte came for 3 seconds" },
	{ "slow/x", 0, "" },
	{ "close/x", MKROOTFS_ERROR_NETWORK, "127.0.0.1: " },
	{ "garbage/x", MKROOTFS_ERROR_NETWORK, "127.0.0.1: " },
	/* Refusals. */
	{ "missing/x:3.99", MKROOTFS_ERROR_NOT_FOUND,
	  "/missing/x:3.99: HTTP 404 (MANIFEST_UNKNOWN: manifest unknown)" },
	{ "noblob/x", MKROOTFS_ERROR_NOT_FOUND, "(BLOB_UNKNOWN: blob unknown)" },
	{ "forbidden/x", MKROOTFS_ERROR_DENIED, "HTTP 403 (DENIED: not for you\\x1b[31m\\x0a)" },
	{ "busy/x", MKROOTFS_ERROR_RATE_LIMIT, "HTTP 429 (TOOMANYREQUESTS: slow down)" },
	{ "broken/x", MKROOTFS_ERROR_NETWORK, "HTTP 500" },
	{ "plaintext/x", MKROOTFS_ERROR_NETWORK, "HTTP 400 (wrong door)" },
	/* Wrong content. */
	{ "schema1/x", MKROOTFS_ERROR_UNSUPPORTED,
	  "application/vnd.docker.distribution.manifest.v1+prettyjws" },
	{ "wrongtype/x", MKROOTFS_ERROR_MALFORMED, "is an index, but" },
	{ "wrongmanifest/x", MKROOTFS_ERROR_DIGEST, "the content has digest" },
	{ "wrongblob/x", MKROOTFS_ERROR_DIGEST, "has digest" },
	{ "open/x@sha256:0000000000000000000000000000000000000000000000000000000000000000",
	  MKROOTFS_ERROR_NOT_FOUND, "no image 127.0.0.1" },
	{ "wrongblob/x:t@sha256:"
	  "0000000000000000000000000000000000000000000000000000000000000000",
	  MKROOTFS_ERROR_NOT_FOUND, "" },
};

static void behaves_in_every_scenario(void **state)
{
	(void)state;
	need_server();
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		struct outcome o = pull(scenarios[i].name);

		if (o.status != scenarios[i].status || !strstr(o.error.message, scenarios[i].says))
			fail_msg("%s: %d %s", scenarios[i].name, o.status, o.error.message);
		if (getenv("SHOW_MESSAGES"))
			print_message("%-20s %s\n", scenarios[i].name, o.error.message);
	}
}

static int count(const char *name)
{
	return scripted_count(&server, name);
}

static void asks_for_one_token_per_image(void **state)
{
	int before;

	(void)state;
	need_server();
	before = count("tokens");
	assert_int_equal(pull("token/y").status, 0);
	assert_int_equal(count("tokens"), before + 1);
}

/* A token that each request uses up is renewed once for each: index, manifest, config, layer. */
static void renews_spent_tokens(void **state)
{
	int before;

	(void)state;
	need_server();
	before = count("tokens");
	assert_int_equal(pull("once/y").status, 0);
	assert_int_equal(count("tokens"), before + 4);
	before = count("tokens");
	assert_int_equal(pull("denied/y").status, MKROOTFS_ERROR_DENIED);
	assert_int_equal(count("tokens"), before + 1);
}

static void keeps_its_connection(void **state)
{
	int before;

	(void)state;
	need_server();
	before = count("connections");
	assert_int_equal(pull("token/y").status, 0);
	/* One that TLS was tried on, one to the registry, one to its token server, one of count. */
	assert_int_equal(count("connections"), before + 4);
}

static void follows_to_the_storage(void **state)
{
	int before;

	(void)state;
	need_server();
	before = count("stored");
	assert_int_equal(pull("moved/y").status, 0);
	assert_int_equal(count("stored"), before + 2); /* config and layer */
}

/* The storage behind a redirect is not the registry: its challenge is not answered. */
static void answers_no_challenge_of_the_storage(void **state)
{
	int before;

	(void)state;
	need_server();
	before = count("tokens");
	assert_int_equal(pull("moved_asks/y").status, MKROOTFS_ERROR_DENIED);
	assert_int_equal(count("tokens"), before);
}

static void says_whom_it_could_not_reach(void **state)
{
	static const struct registry_options options = {
		.settings = { .idle_timeout = 3, .retries = 1 }, .retry_delay = 1, .seed = 1
	};
	struct outcome o;

	(void)state;
	o = pull_with(1, "x", &options); /* nothing listens there */
	assert_int_equal(o.status, MKROOTFS_ERROR_NETWORK);
	assert_non_null(strstr(o.error.message, "image 127.0.0.1:1/x:latest: 127.0.0.1: "));
}

/* ---- TLS ---- */

static void need_tls(void)
{
	need_server();
	if (server.tls_port == 0) {
		print_message("SKIPPED: no openssl to make a certificate\n");
		skip();
	}
}

static void verifies_certificates(void **state)
{
	struct registry_options options = { .settings = { .idle_timeout = 5 } };
	struct outcome o;

	(void)state;
	need_tls();
	options.settings.ca_cert = server.ca_file;
	o = pull_with(server.tls_port, "open/x", &options);
	if (o.status < 0)
		fail_msg("%s", o.error.message);
	options.settings.ca_cert = "/etc/ssl/certs/ca-certificates.crt";
	if (access(options.settings.ca_cert, R_OK) == 0) {
		o = pull_with(server.tls_port, "open/x", &options);
		assert_int_equal(o.status, MKROOTFS_ERROR_TLS);
		assert_non_null(strstr(o.error.message, "certificate"));
		assert_non_null(strstr(o.error.advice, "--ca-cert"));
	}
}

static void never_falls_back_to_plain_http(void **state)
{
	struct registry_options options = { .settings = { .idle_timeout = 5 } };
	struct outcome o;

	(void)state;
	need_tls();
	options.settings.ca_cert = server.ca_file;
	o = pull_with(server.tls_port, "toplain/x", &options);
	assert_int_equal(o.status, MKROOTFS_ERROR_NETWORK);
	assert_non_null(strstr(o.error.message, "from https to plain http is refused"));
	/* The realm of its challenge is plain http on loopback: not for a registry of https. */
	o = pull_with(server.tls_port, "token/x", &options);
	assert_int_equal(o.status, MKROOTFS_ERROR_DENIED);
	assert_non_null(strstr(o.error.message, "plain http to that host is refused"));
	/* Plain HTTP is not tried where an authority was given, nor where one was not accepted. */
	o = pull_with(server.port, "open/x", &options);
	assert_int_equal(o.status, MKROOTFS_ERROR_TLS);
	assert_non_null(strstr(o.error.advice, "--plain-http"));
	options.settings.ca_cert = NULL;
	o = pull_with(server.tls_port, "open/x", &options);
	assert_int_equal(o.status, MKROOTFS_ERROR_TLS);
	assert_non_null(strstr(o.error.message, "certificate"));
}

/* ---- Bounded memory ---- */

/* A reader that is slower than the server gets all bytes, in pieces of bounded size. */
static void lends_bounded_pieces(void **state)
{
	static const struct registry_options options = { .settings = { .idle_timeout = 5 } };
	struct resolve_options resolve = { .max_layers = 10 };
	struct mkrootfs_error error;
	struct resolved_image *image;
	struct reference reference;
	struct transport *t;
	struct source *s;
	const uint8_t *data;
	size_t len, total = 0;

	(void)state;
	need_server();
	t = open_at(server.port, "open/x", &options, &reference);
	assert_int_equal(platform_parse(&resolve.platform, "linux/amd64", &error), 0);
	assert_int_equal(resolve_image(&image, t, &reference, &resolve, &error), 0);
	assert_int_equal(transport_open_blob(t, &s, &image->manifest.layers[0], 0, &error), 0);
	do {
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
		assert_int_equal(source_next(s, &data, &len, &error), 0);
		assert_true(len <= 512u << 10);
		total += len;
	} while (len > 0);
	assert_int_equal(total, image->manifest.layers[0].size);
	source_close(s);
	/* Closing in the middle ends the exchange; the transport goes on. */
	assert_int_equal(transport_open_blob(t, &s, &image->manifest.layers[0], 0, &error), 0);
	assert_int_equal(source_next(s, &data, &len, &error), 0);
	source_close(s);
	assert_int_equal(read_blob(t, &image->manifest.layers[0], &error), 0);
	resolved_image_free(image);
	transport_close(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(behaves_in_every_scenario),
		cmocka_unit_test(asks_for_one_token_per_image),
		cmocka_unit_test(renews_spent_tokens),
		cmocka_unit_test(keeps_its_connection),
		cmocka_unit_test(follows_to_the_storage),
		cmocka_unit_test(answers_no_challenge_of_the_storage),
		cmocka_unit_test(says_whom_it_could_not_reach),
		cmocka_unit_test(verifies_certificates),
		cmocka_unit_test(never_falls_back_to_plain_http),
		cmocka_unit_test(lends_bounded_pieces),
	};

	return cmocka_run_group_tests(tests, start_server, stop_server);
}
