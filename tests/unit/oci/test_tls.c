/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates, and when HTTP takes the place of HTTPS, against the scripted registry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "oci/registry.h"
#include "oci/tls_files.h"
#include "scripted_group.h"

static struct {
	unsigned count;
	char last[600];
} warnings;

static void on_warning(void *user, const char *text)
{
	(void)user;
	warnings.count++;
	snprintf(warnings.last, sizeof(warnings.last), "%s", text);
}

static void need_tls(void)
{
	if (!server_runs || !server.tls_port) {
		print_message("SKIPPED: python3 or openssl is missing\n");
		skip();
	}
}

/* Fetches the index of an open repository; host is "127.0.0.1:" and the like. */
static int fetch(const char *host, int port, const struct mkrootfs_registry_options *settings,
		 struct mkrootfs_error *error)
{
	struct registry_options options = {
		.settings = *settings, .retry_delay = 1, .seed = 1, .warn = on_warning
	};
	struct transport_document document = { .bytes = BUF_INIT(1u << 20) };
	struct reference reference;
	struct transport *t;
	char text[100];
	int status;

	memset(&warnings, 0, sizeof(warnings));
	options.settings.retries = 1;
	snprintf(text, sizeof(text), "%s:%d/open/x", host, port);
	assert_int_equal(reference_parse(&reference, text, error), 0);
	status = registry_open(&t, &reference, &options, error);
	if (status == 0)
		status = transport_fetch_manifest(t, &document, NULL, error);
	transport_close(t);
	buf_free(&document.bytes);
	return status;
}

static void expect(int port, const struct mkrootfs_registry_options *settings, int status,
		   const char *says)
{
	struct mkrootfs_error error = { 0 };

	if (fetch("127.0.0.1", port, settings, &error) != status)
		fail_msg("%d %s", error.status, error.message);
	if (status < 0 && !strstr(error.message, says) && !strstr(error.advice, says))
		fail_msg("'%s' '%s'", error.message, error.advice);
}

static void a_private_authority_is_given_in_two_ways(void **state)
{
	const struct mkrootfs_registry_options file = { .ca_cert = server.ca_file };
	const struct mkrootfs_registry_options folder = { .cert_dir = server.folder };
	const struct mkrootfs_registry_options none = { .plain_http = 0 };

	(void)state;
	need_tls();
	expect(server.tls_port, &none, MKROOTFS_ERROR_TLS, "--ca-cert FILE");
	assert_int_equal(warnings.count, 0); /* not tried again */
	expect(server.tls_port, &file, 0, "");
	expect(server.tls_port, &folder, 0, "");
	/* Where they are given, TLS is wanted: no HTTP instead. */
	expect(server.port, &file, MKROOTFS_ERROR_TLS, "no answer of TLS");
	expect(server.port, &folder, MKROOTFS_ERROR_TLS, "--plain-http");
}

static void certificates_go_unchecked_only_when_told_to(void **state)
{
	const struct mkrootfs_registry_options insecure = { .insecure_tls = 1 };
	const struct mkrootfs_registry_options both = { .insecure_tls = 1,
							.ca_cert = server.ca_file };

	(void)state;
	need_tls();
	expect(server.tls_port, &insecure, 0, "");
	assert_int_equal(warnings.count, 1);
	assert_non_null(strstr(warnings.last, "are not checked"));
	expect(server.port, &insecure, 0, "");
	assert_int_equal(warnings.count, 1);
	expect(server.port, &both, 0, "");
}

static void http_is_for_loopback_and_for_who_asks(void **state)
{
	const struct mkrootfs_registry_options none = { .plain_http = 0 };
	const struct mkrootfs_registry_options plain = { .plain_http = 1 };
	struct mkrootfs_error error = { 0 };

	(void)state;
	need_tls();
	expect(server.port, &none, 0, "");
	assert_int_equal(warnings.count, 0);
	expect(server.port, &plain, 0, "");
	expect(server.tls_port, &plain, MKROOTFS_ERROR_NETWORK, "127.0.0.1");
	if (fetch("localhost", server.port, &none, &error) < 0)
		fail_msg("%s", error.message);
	if (server.six_port && fetch("[::1]", server.six_port, &none, &error) < 0)
		fail_msg("%s", error.message);
}

static void a_client_may_need_a_certificate(void **state)
{
	const struct mkrootfs_registry_options with = { .cert_dir = server.folder };
	const struct mkrootfs_registry_options without = { .ca_cert = server.ca_file };
	struct mkrootfs_error error;

	(void)state;
	need_tls();
	expect(server.mutual_port, &with, 0, "");
	/* TLS, or NETWORK when the server's last word is lost because it hangs up. */
	assert_true(fetch("127.0.0.1", server.mutual_port, &without, &error) < 0);
	if (!strstr(error.advice, "--cert-dir DIR"))
		fail_msg("'%s' '%s'", error.message, error.advice);
}

/* ---- Files ---- */

static char folder[] = "/tmp/mkrootfs-tls.XXXXXX";

static void put(const char *name, const char *content)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(content, file);
	fclose(file);
}

static void empty_folder(void)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf '%s' && mkdir '%s'", folder, folder);
	assert_int_equal(system(command), 0);
}

#define CERTIFICATE "-----BEGIN CERTIFICATE-----\n"

static void refuses(const char *ca_cert, const char *cert_dir, const char *says)
{
	struct mkrootfs_error error;
	struct tls_files files;

	assert_int_equal(tls_files_load(&files, ca_cert, cert_dir, &error), MKROOTFS_ERROR_INVALID);
	if (!strstr(error.message, says))
		fail_msg("%s", error.message);
	tls_files_free(&files);
}

static void files_of_docker_are_read_as_docker_does(void **state)
{
	struct mkrootfs_error error;
	struct tls_files files;
	char path[256];

	(void)state;
	empty_folder();
	put("b.crt", CERTIFICATE "two");
	put("a.crt", CERTIFICATE "one");
	put("z.cert", "z");
	put("z.key", "z");
	put("y.cert", "y");
	put("y.key", "y");
	put("ca.pem", "not looked at");
	assert_int_equal(tls_files_load(&files, NULL, folder, &error), 0);
	assert_string_equal(files.authorities.data, CERTIFICATE "one\n" CERTIFICATE "two\n");
	snprintf(path, sizeof(path), "%s/y.cert", folder);
	assert_string_equal(files.certificate, path);
	snprintf(path, sizeof(path), "%s/y.key", folder);
	assert_string_equal(files.key, path);
	tls_files_free(&files);
	assert_int_equal(tls_files_load(&files, NULL, NULL, &error), 0);
	assert_int_equal(files.authorities.len, 0);
	assert_null(files.certificate);
	tls_files_free(&files);
}

static void files_that_cannot_be_meant_are_refused(void **state)
{
	char path[256];

	(void)state;
	refuses("/nonexistent/ca.pem", NULL, "/nonexistent/ca.pem");
	refuses(NULL, "/nonexistent", "'/nonexistent': No such file");
	empty_folder();
	put("a.crt", "not PEM");
	refuses(NULL, folder, "a.crt' holds no PEM certificate");
	empty_folder();
	put("c.cert", "c");
	refuses(NULL, folder, "c.key' beside it");
	empty_folder();
	put("c.key", "c");
	refuses(NULL, folder, "c.cert' beside it");
	empty_folder();
	snprintf(path, sizeof(path), "%s/p.crt", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	refuses(NULL, folder, "no regular file");
}

/* What libcurl cannot use is the user's to mend, and no terminal is asked for a password. */
static void certificates_that_cannot_be_used_are_told(void **state)
{
	struct mkrootfs_registry_options options = { .cert_dir = folder };
	char command[1200];

	(void)state;
	need_tls();
	empty_folder();
	put("a.crt", CERTIFICATE "bm9uc2Vuc2U=\n-----END CERTIFICATE-----\n");
	expect(server.tls_port, &options, MKROOTFS_ERROR_INVALID, "certificates: ");
	empty_folder();
	snprintf(command, sizeof(command),
		 "cp '%s/ca.crt' '%s/client.cert' '%s' && openssl rsa -aes128 -passout pass:secret "
		 "-in '%s/client.key' -out '%s/client.key' 2>/dev/null",
		 server.folder, server.folder, folder, server.folder, folder);
	assert_int_equal(system(command), 0);
	expect(server.mutual_port, &options, MKROOTFS_ERROR_INVALID, "certificates: ");
}

static int start(void **state)
{
	return mkdtemp(folder) ? start_server(state) : -1;
}

static int stop(void **state)
{
	stop_server(state);
	empty_folder();
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_private_authority_is_given_in_two_ways),
		cmocka_unit_test(certificates_go_unchecked_only_when_told_to),
		cmocka_unit_test(http_is_for_loopback_and_for_who_asks),
		cmocka_unit_test(a_client_may_need_a_certificate),
		cmocka_unit_test(files_of_docker_are_read_as_docker_does),
		cmocka_unit_test(files_that_cannot_be_meant_are_refused),
		cmocka_unit_test(certificates_that_cannot_be_used_are_told),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
