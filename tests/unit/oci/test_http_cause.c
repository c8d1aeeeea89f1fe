/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failures as users see them: status, words, advice, and whether they are tried again. The system's
 * look-up of names is replaced by one that answers as the test wants; libcurl is served by it too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "oci/registry.h"

static int answer;		/* of look-ups, EAI_... */
static atomic_int lookups_left; /* that answer so; later ones find no host */
static atomic_int lookups;

/* Visible, so that libcurl finds it in the place of the C library's. */
__attribute__((visibility("default"))) int getaddrinfo(const char *node, const char *service,
						       const struct addrinfo *hints,
						       struct addrinfo **out)
{
	(void)node, (void)service, (void)hints;
	*out = NULL;
	lookups++;
	return lookups_left-- > 0 ? answer : EAI_NONAME;
}

static const struct {
	enum http_cause_kind kind;
	const char *detail;
	int lookup;
	int status;
	unsigned failure;
	const char *message, *advice;
} causes[] = {
	{ HTTP_CAUSE_NAME, "Could not resolve host: h", EAI_NONAME, MKROOTFS_ERROR_NAME, 0,
	  "h: there is no host of that name", "how the registry's name is written" },
	{ HTTP_CAUSE_NAME, "Could not resolve host: h", EAI_FAIL, MKROOTFS_ERROR_NAME, 0,
	  "h: there is no host of that name", "" },
	{ HTTP_CAUSE_NAME, "Could not resolve host: h", EAI_AGAIN, MKROOTFS_ERROR_NAME,
	  HTTP_MAY_PASS, "h: the name server does not answer", "name servers" },
	{ HTTP_CAUSE_PROXY_NAME, "Could not resolve proxy: p", EAI_AGAIN, MKROOTFS_ERROR_NAME, 0,
	  "resolve proxy: p", "https_proxy" },
	{ HTTP_CAUSE_CONNECT, "Failed to connect", 0, MKROOTFS_ERROR_NETWORK,
	  HTTP_MAY_PASS | HTTP_REFUSED, "h: Failed to connect (Connection refused)", "port 443" },
	{ HTTP_CAUSE_TIMEOUT, "Connection timed out", 0, MKROOTFS_ERROR_NETWORK, HTTP_MAY_PASS,
	  "h: Connection timed out", "https_proxy" },
	{ HTTP_CAUSE_BROKEN, "Recv failure: Connection reset by peer", 0, MKROOTFS_ERROR_NETWORK,
	  HTTP_MAY_PASS, "reset by peer", "try again" },
	/* A client's certificate that is missing shows behind the handshake in TLS 1.3. */
	{ HTTP_CAUSE_BROKEN, "tlsv13 alert certificate required", 0, MKROOTFS_ERROR_TLS, 0,
	  "certificate required", "--cert-dir" },
	{ HTTP_CAUSE_UNANSWERED, "tlsv13 alert certificate required", 0, MKROOTFS_ERROR_TLS, 0,
	  "certificate required", "--cert-dir" },
	{ HTTP_CAUSE_UNANSWERED, "Send failure: Broken pipe", 0, MKROOTFS_ERROR_NETWORK,
	  HTTP_MAY_PASS, "Broken pipe", "--cert-dir" },
	{ HTTP_CAUSE_HANDSHAKE, "sslv3 alert handshake failure", 0, MKROOTFS_ERROR_TLS, 0,
	  "handshake failure", "--cert-dir" },
	{ HTTP_CAUSE_HANDSHAKE, "wrong version number", 0, MKROOTFS_ERROR_TLS, HTTP_NO_TLS,
	  "port 443 gives no answer of TLS", "--plain-http" },
	{ HTTP_CAUSE_HANDSHAKE, "OpenSSL SSL_connect: Connection reset by peer", 0,
	  MKROOTFS_ERROR_TLS, HTTP_NO_TLS | HTTP_MAY_PASS, "no answer of TLS", "--plain-http" },
	{ HTTP_CAUSE_CERTIFICATE, "self-signed certificate", 0, MKROOTFS_ERROR_TLS, 0,
	  "self-signed", "--ca-cert FILE" },
	{ HTTP_CAUSE_FILES, "could not load PEM", 0, MKROOTFS_ERROR_INVALID, 0,
	  "certificates: could not load PEM", "" },
	{ HTTP_CAUSE_NO_SYSTEM, "error setting certificate file: /f", 0, MKROOTFS_ERROR_TLS, 0,
	  "h: the system's authorities: error setting certificate file: /f", "ca-certificates" },
	{ HTTP_CAUSE_OTHER, "Weird server reply", 0, MKROOTFS_ERROR_NETWORK, 0, "Weird", "" },
};

static void each_cause_has_its_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		struct http_cause cause = { .kind = causes[i].kind,
					    .host = "h",
					    .port = 443,
					    .os_errno = 111,
					    .detail = causes[i].detail };
		struct mkrootfs_error error;
		unsigned failure;

		answer = causes[i].lookup;
		lookups_left = 1;
		failure = http_cause_error(&cause, &error);
		if (error.status != causes[i].status || failure != causes[i].failure ||
		    !strstr(error.message, causes[i].message) ||
		    !strstr(error.advice, causes[i].advice))
			fail_msg("%zu: %d %u '%s' '%s'", i, error.status, failure, error.message,
				 error.advice);
	}
}

static unsigned warnings;

static void on_warning(void *user, const char *text)
{
	(void)user;
	(void)text;
	warnings++;
}

static void fetch(struct mkrootfs_error *error)
{
	const struct registry_options options = {
		.settings = { .retries = 3 }, .retry_delay = 1, .seed = 1, .warn = on_warning
	};
	struct transport_document document = { .bytes = BUF_INIT(1000) };
	struct reference reference;
	struct transport *t;

	warnings = 0;
	lookups = 0;
	assert_int_equal(reference_parse(&reference, "registry.example/x", error), 0);
	assert_int_equal(registry_open(&t, &reference, &options, error), 0);
	if (transport_fetch_manifest(t, &document, NULL, error) != MKROOTFS_ERROR_NAME)
		fail_msg("%d %s", error->status, error->message);
	transport_close(t);
}

/* Two look-ups for each attempt: libcurl's, and ours to learn more. */
static void a_name_that_is_not_there_is_asked_for_once(void **state)
{
	struct mkrootfs_error error;

	(void)state;
	lookups_left = 0;
	fetch(&error);
	assert_int_equal(warnings, 0);
	assert_int_equal(lookups, 2);
	assert_non_null(strstr(error.message, "registry.example: there is no host of that name"));
}

static void a_name_server_that_does_not_answer_is_asked_again(void **state)
{
	struct mkrootfs_error error;

	(void)state;
	answer = EAI_AGAIN;
	lookups_left = 4;
	fetch(&error);
	assert_int_equal(warnings, 2);
	assert_int_equal(lookups, 6);
	lookups_left = 1000;
	fetch(&error);
	assert_int_equal(warnings, 3);
	assert_int_equal(lookups, 8);
	assert_non_null(strstr(error.message, "the name server does not answer"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cause_has_its_words),
		cmocka_unit_test(a_name_that_is_not_there_is_asked_for_once),
		cmocka_unit_test(a_name_server_that_does_not_answer_is_asked_again),
	};

	/* What the environment says about proxies would be looked up instead. */
	unsetenv("https_proxy");
	unsetenv("HTTPS_PROXY");
	unsetenv("all_proxy");
	unsetenv("ALL_PROXY");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
