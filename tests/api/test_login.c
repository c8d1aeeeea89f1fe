/* SPDX-License-Identifier: Apache-2.0 */
/* Logging in by the public API: arguments, and an auth file's way through a small registry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mkrootfs.h>

#define BOB "Basic Ym9iOnB3" /* bob:pw */
#define ALLOWED "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
#define ASKED                                                                     \
	"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"here\"\r\n" \
	"Content-Length: 2\r\nConnection: close\r\n\r\n{}"

static struct mkrootfs_error error;

/* ---- A registry that lets bob in, in a process of its own ---- */

static char folder[64], auth_file[96], registry[32];
static pid_t server;

static void answer(int connection)
{
	char request[4096] = "";
	size_t used = 0;
	ssize_t got;

	while (!strstr(request, "\r\n\r\n") && used < sizeof(request) - 1) {
		got = read(connection, request + used, sizeof(request) - 1 - used);
		if (got <= 0)
			return;
		used += (size_t)got;
		request[used] = '\0';
	}
	dprintf(connection, "%s", strstr(request, "Authorization: " BOB "\r\n") ? ALLOWED : ASKED);
}

static void serve(int listener)
{
	for (;;) {
		int connection = accept(listener, NULL, NULL);

		if (connection < 0)
			_exit(1);
		answer(connection);
		close(connection);
	}
}

static int start_server(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (listener < 0 || bind(listener, (struct sockaddr *)&address, len) < 0 ||
	    listen(listener, 8) < 0 || getsockname(listener, (struct sockaddr *)&address, &len) < 0)
		return -1;
	snprintf(registry, sizeof(registry), "127.0.0.1:%u", ntohs(address.sin_port));
	server = fork();
	if (server == 0)
		serve(listener);
	close(listener);
	return server < 0 ? -1 : 0;
}

static int start(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/mkrootfs-login.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(auth_file, sizeof(auth_file), "%s/new/auth.json", folder);
	return start_server();
}

static int stop(void **state)
{
	char command[128];

	(void)state;
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

/* ---- Tests ---- */

static int log_in(const char *password)
{
	const struct mkrootfs_login_options options = {
		.registry = registry,
		.auth_file = auth_file,
		.connection = { .username = "bob", .password = password, .plain_http = 1 },
	};

	return mkrootfs_login(&options, &error);
}

static int find_user(char user[MKROOTFS_USER_SIZE], const char *of)
{
	const char *files[] = { auth_file };
	const struct mkrootfs_registry_options options = { .auth_files = { 1, files } };

	return mkrootfs_login_user(user, of, &options, &error);
}

static void logs_in_and_out(void **state)
{
	char user[MKROOTFS_USER_SIZE];
	struct stat st;

	(void)state;
	assert_int_equal(find_user(user, registry), MKROOTFS_ERROR_NOT_FOUND);
	assert_string_equal(user, "");
	if (log_in("pw") < 0)
		fail_msg("%s", error.message);
	assert_int_equal(stat(auth_file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(find_user(user, registry), 0);
	assert_string_equal(user, "bob");
	assert_int_equal(find_user(user, "other.example"), MKROOTFS_ERROR_NOT_FOUND);

	assert_int_equal(mkrootfs_logout("other.example", auth_file, &error),
			 MKROOTFS_ERROR_NOT_FOUND);
	assert_int_equal(mkrootfs_logout(registry, auth_file, &error), 0);
	assert_int_equal(find_user(user, registry), MKROOTFS_ERROR_NOT_FOUND);
	assert_int_equal(mkrootfs_logout(registry, auth_file, &error), MKROOTFS_ERROR_NOT_FOUND);
}

static void logs_out_of_all(void **state)
{
	char user[MKROOTFS_USER_SIZE];

	(void)state;
	assert_int_equal(log_in("pw"), 0);
	assert_int_equal(mkrootfs_logout(NULL, auth_file, &error), 0);
	assert_int_equal(find_user(user, registry), MKROOTFS_ERROR_NOT_FOUND);
	assert_int_equal(mkrootfs_logout(NULL, auth_file, &error), MKROOTFS_ERROR_NOT_FOUND);
}

static void keeps_no_wrong_password(void **state)
{
	(void)state;
	assert_int_equal(log_in("wr0ng-pass"), MKROOTFS_ERROR_DENIED);
	assert_null(strstr(error.message, "wr0ng-pass"));
	assert_int_not_equal(access(auth_file, F_OK), 0);
}

static void refuses_what_is_missing(void **state)
{
	const struct mkrootfs_login_options options[] = {
		{ .auth_file = "/x", .connection = { .username = "u", .password = "p" } },
		{ .registry = "r.io", .connection = { .username = "u", .password = "p" } },
		{ .registry = "r.io", .auth_file = "/x", .connection = { .username = "u" } },
		{ .registry = "r.io", .auth_file = "/x", .connection = { .password = "p" } },
		{ .registry = "no registry",
		  .auth_file = "/x",
		  .connection = { .username = "u", .password = "p" } },
	};
	const struct mkrootfs_registry_options none = { 0 };
	char user[MKROOTFS_USER_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (mkrootfs_login(&options[i], &error) != MKROOTFS_ERROR_INVALID)
			fail_msg("case %zu: %s", i, error.message);
	assert_int_equal(mkrootfs_login(NULL, NULL), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_logout("r.io", NULL, &error), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_logout("no registry", "/x", &error), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_login_user(user, NULL, &none, &error), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_login_user(user, "r.io", NULL, NULL), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_login_user(user, "r.io", &none, &error),
			 MKROOTFS_ERROR_NOT_FOUND);
}

#define WITH_REGISTRY(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_REGISTRY(logs_in_and_out),
		WITH_REGISTRY(logs_out_of_all),
		WITH_REGISTRY(keeps_no_wrong_password),
		cmocka_unit_test(refuses_what_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
