/* SPDX-License-Identifier: Apache-2.0 */
/* Where credentials come from, with credential helpers of all kinds in a PATH of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/secret.h"
#include "oci/credential_helper.h"
#include "oci/credentials.h"
#include "temp_folder.h"

static struct temp_folder folder;

static void write_file(const char *name, const char *text, mode_t mode)
{
	FILE *file = fopen(temp_folder_path(&folder, name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	chmod(temp_folder_path(&folder, name), mode);
}

/* A helper that is a script; it stands in the folder, which is the head of PATH. */
static void write_helper(const char *name, const char *script)
{
	char file[100], text[1000];

	snprintf(file, sizeof(file), "docker-credential-%s", name);
	snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", script);
	write_file(file, text, 0755);
}

#define ANSWER(user, secret) \
	"printf '{\"ServerURL\":\"s\",\"Username\":\"" user "\",\"Secret\":\"" secret "\"}'"
/* What the libraries for helpers print, on standard output. */
#define KNOWS_NOTHING "echo 'credentials not found in native keychain'; exit 1"

static const struct {
	const char *name, *script;
} helpers[] = {
	{ "good", "read server; [ \"$1 $server\" = 'get r.io' ] || exit 3; " ANSWER("bob", "pw") },
	{ "token", ANSWER("<token>", "refresh") },
	{ "hub",
	  "read s; [ \"$s\" = https://index.docker.io/v1/ ] || exit 3; " ANSWER("hub", "h") },
	{ "podman",
	  "read s; [ \"$s\" = docker.io ] || { " KNOWS_NOTHING "; }; " ANSWER("pod", "p") },
	{ "none", KNOWS_NOTHING },
	{ "empty", ANSWER("", "") },
	{ "deaf", "exec <&-; " ANSWER("deaf", "d") },
	{ "fails", "echo 'the keyring is locked' >&2; echo more >&2; exit 2" },
	{ "fails-out", "echo 'no such vault'; exit 1" },
	{ "fails-secret", "printf '{\"Secret\":\"PRIVATE\"}'; exit 1" },
	{ "garbage", "echo 'hello, PRIVATE'" },
	{ "half", "printf '{\"Username\":\"PRIVATE\"}'" },
	{ "huge", "yes PRIVATE" },
	{ "noisy", "yes noise | head -c 200000 >&2; " ANSWER("noisy", "n") },
	{ "hangs", "sleep 1000; echo" },
	{ "daemon", "sleep 60 & " ANSWER("daemon", "d") },
	{ "killed", "kill -9 $$" },
};

static int prepare(void **state)
{
	char path[4096];

	(void)state;
	temp_folder_make(&folder);
	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		write_helper(helpers[i].name, helpers[i].script);
	snprintf(path, sizeof(path), "%s:%s", folder.path, getenv("PATH"));
	return setenv("PATH", path, 1);
}

static int leave(void **state)
{
	(void)state;
	temp_folder_remove(&folder);
	return 0;
}

static const struct {
	const char *name, *registry;
	int status;
	const char *username, *secret, *says;
} runs[] = {
	{ "good", "r.io", 0, "bob", "pw", "" },
	{ "token", "r.io", 0, "<token>", "refresh", "" },
	{ "hub", "docker.io", 0, "hub", "h", "" },
	{ "podman", "docker.io", 0, "pod", "p", "" },
	{ "none", "r.io", 0, NULL, NULL, "" },
	{ "none", "docker.io", 0, NULL, NULL, "" },
	{ "empty", "r.io", 0, NULL, NULL, "" },
	{ "deaf", "r.io", 0, "deaf", "d", "" },
	{ "noisy", "r.io", 0, "noisy", "n", "" },
	{ "daemon", "r.io", 0, "daemon", "d", "" },
	{ "fails", "r.io", MKROOTFS_ERROR_DENIED, NULL, NULL,
	  "credential helper fails, named by 'f': exit code 2: the keyring is locked" },
	{ "fails-out", "r.io", MKROOTFS_ERROR_DENIED, NULL, NULL, "exit code 1: no such vault" },
	{ "fails-secret", "r.io", MKROOTFS_ERROR_DENIED, NULL, NULL, "exit code 1" },
	{ "killed", "r.io", MKROOTFS_ERROR_DENIED, NULL, NULL, "exit code 137" },
	{ "garbage", "r.io", MKROOTFS_ERROR_MALFORMED, NULL, NULL, "its answer is not JSON" },
	{ "half", "r.io", MKROOTFS_ERROR_MALFORMED, NULL, NULL, "no Username and Secret" },
	{ "huge", "r.io", MKROOTFS_ERROR_LIMIT, NULL, NULL, "says too much: more than 65536" },
	{ "hangs", "r.io", MKROOTFS_ERROR_NETWORK, NULL, NULL, "did not end within 1 seconds" },
	{ "missing", "r.io", MKROOTFS_ERROR_NOT_FOUND, NULL, NULL,
	  "run 'docker-credential-missing': No such file" },
	{ "../good", "r.io", MKROOTFS_ERROR_MALFORMED, NULL, NULL,
	  "no name of a credential helper" },
	{ "a b", "r.io", MKROOTFS_ERROR_MALFORMED, NULL, NULL, "no name of a credential helper" },
	{ "$(touch x)", "r.io", MKROOTFS_ERROR_MALFORMED, NULL, NULL, "no name" },
	{ "", "r.io", MKROOTFS_ERROR_MALFORMED, NULL, NULL, "no name of a credential helper" },
};

static void assert_text(const char *what, const char *actual, const char *expected)
{
	if (!actual != !expected || (actual && strcmp(actual, expected) != 0))
		fail_msg("%s: '%s' instead of '%s'", what, actual ? actual : "(null)",
			 expected ? expected : "(null)");
}

static void runs_helpers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		bool patient = strcmp(runs[i].name, "hangs") != 0;
		const struct credential_helper helper = { runs[i].name,
							  "f",
							  { .timeout = patient ? 50 : 1 } };
		struct mkrootfs_error error = { .message = "" };
		char *username, *secret;
		int status = credential_helper_get(&username, &secret, &helper, runs[i].registry,
						   &error);

		if (status != runs[i].status ||
		    (status < 0 && !strstr(error.message, runs[i].says)) ||
		    (status < 0 && strstr(error.message, "PRIVATE")))
			fail_msg("%s: %d %s", runs[i].name, status, error.message);
		assert_text(runs[i].name, username, runs[i].username);
		assert_text(runs[i].name, secret, runs[i].secret);
		free(username);
		secret_free(secret);
	}
}

static int give_up(void *user)
{
	(void)user;
	return 1;
}

/* The helper, and what it started, is gone when the run is over. */
static void a_caller_can_give_up(void **state)
{
	struct credential_helper helper = { "pid", "f", { .wait = give_up } };
	struct mkrootfs_error error;
	char *username, *secret, script[200];
	const char *note = temp_folder_path(&folder, "pid");
	int child = 0;
	FILE *file;

	(void)state;
	snprintf(script, sizeof(script), "sleep 1000 & echo $! >%s; mv %s %s.done; wait", note,
		 note, note);
	write_helper("pid", script);
	helper.limits = (struct program_limits){ .timeout = 5 };
	assert_int_equal(credential_helper_get(&username, &secret, &helper, "r.io", &error),
			 MKROOTFS_ERROR_NETWORK);
	file = fopen(temp_folder_path(&folder, "pid.done"), "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%d", &child), 1);
	fclose(file);
	/* It may take the system a moment to bury the orphan. */
	for (int i = 0; i < 1000 && kill(child, 0) == 0; i++) {
		char status[64], text[256] = "";
		FILE *proc;

		snprintf(status, sizeof(status), "/proc/%d/stat", child);
		proc = fopen(status, "r");
		if (proc && fgets(text, sizeof(text), proc) && strstr(text, ") Z "))
			i = 1000;
		if (proc)
			fclose(proc);
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
		assert_int_not_equal(i, 999);
	}
	helper.limits = (struct program_limits){ .wait = give_up };
	helper.name = "hangs";
	assert_int_equal(credential_helper_get(&username, &secret, &helper, "r.io", &error),
			 MKROOTFS_ERROR_CANCELLED);
}

static void stores_and_erases(void **state)
{
	const struct credential_helper helper = { "vault", "f", { .timeout = 50 } };
	struct mkrootfs_error error;
	char script[400], line[400] = "";
	bool erased;
	FILE *file;

	(void)state;
	snprintf(
		script, sizeof(script),
		"case $1 in store) tr -d '\\n ' >%s/vault;; erase) grep -q none && { " KNOWS_NOTHING
		"; }; rm %s/vault;; esac",
		folder.path, folder.path);
	write_helper("vault", script);
	assert_int_equal(credential_helper_store(&helper, "docker.io", "b\"ob", "p\\w", &error), 0);
	file = fopen(temp_folder_path(&folder, "vault"), "r");
	assert_non_null(fgets(line, sizeof(line), file));
	fclose(file);
	assert_string_equal(line, "{\"ServerURL\":\"https://index.docker.io/v1/\","
				  "\"Username\":\"b\\\"ob\",\"Secret\":\"p\\\\w\"}");
	assert_int_equal(credential_helper_erase(&erased, &helper, "r.io", &error), 0);
	assert_true(erased);
	assert_int_equal(access(temp_folder_path(&folder, "vault"), F_OK), -1);
	assert_int_equal(credential_helper_erase(&erased, &helper, "none", &error), 0);
	assert_false(erased);
	assert_int_equal(credential_helper_erase(&erased, &helper, "r.io", &error),
			 MKROOTFS_ERROR_DENIED);
}

/* bob:pw is Ym9iOnB3, eve:pw is ZXZlOnB3. */
static const struct {
	const char *first, *second;
	int status;
	const char *username, *source, *problem, *says;
} searches[] = {
	{ "{\"auths\":{\"r.io\":{\"auth\":\"Ym9iOnB3\"}}}", "{]", 0, "bob", "first", NULL, "" },
	{ "{}", "{\"auths\":{\"r.io\":{\"auth\":\"ZXZlOnB3\"}}}", 0, "eve", "second", NULL, "" },
	{ "{]", "{}", MKROOTFS_ERROR_MALFORMED, NULL, NULL, NULL, "first': not JSON" },
	{ "{\"auths\":{\"r.io\":{\"auth\":\"ZXZlOnB3\"}},\"credHelpers\":{\"r.io\":\"good\"}}",
	  "{}", 0, "bob", "docker-credential-good", NULL, "" },
	{ "{\"auths\":{\"r.io\":{\"auth\":\"ZXZlOnB3\"}},\"credHelpers\":{\"r.io\":\"none\"}}",
	  "{}", 0, "eve", "first", NULL, "" },
	{ "{\"auths\":{\"r.io\":{}},\"credHelpers\":{\"r.io\":\"none\"}}",
	  "{\"auths\":{\"r.io\":{\"auth\":\"ZXZlOnB3\"}}}", 0, "eve", "second", NULL, "" },
	{ "{\"auths\":{\"r.io\":{}},\"credsStore\":\"good\"}", "{}", 0, "bob",
	  "docker-credential-good", NULL, "" },
	{ "{\"auths\":{\"r.io\":{\"auth\":\"ZXZlOnB3\"}},\"credsStore\":\"fails\"}", "{}", 0, "eve",
	  "first", NULL, "" },
	/* One for all that is missing keeps nobody from public images; one for this registry does.
	 */
	{ "{\"credsStore\":\"missing\"}", "{}", 0, NULL, NULL, "docker-credential-missing", "" },
	{ "{\"credsStore\":\"missing\"}", "{\"auths\":{\"r.io\":{\"auth\":\"ZXZlOnB3\"}}}", 0,
	  "eve", "second", "docker-credential-missing", "" },
	{ "{\"credHelpers\":{\"r.io\":\"missing\"}}", "{}", MKROOTFS_ERROR_NOT_FOUND, NULL, NULL,
	  NULL, "docker-credential-missing" },
	{ "{\"credsStore\":\"fails\"}", "{}", MKROOTFS_ERROR_DENIED, NULL, NULL, NULL, "locked" },
	{ "{\"credHelpers\":{\"other\":\"fails\"}}", "{}", 0, NULL, NULL, NULL, "" },
	{ "{\"credsStore\":\"/bin/sh\"}", "{}", MKROOTFS_ERROR_MALFORMED, NULL, NULL, NULL,
	  "'/bin/sh' is no name of a credential helper" },
};

static void searches_in_order(void **state)
{
	char paths[3][100];
	const char *const files[] = { paths[0], paths[1], paths[2] };
	const struct credential_sources sources = { .files = { 3, files },
						    .helpers = { .timeout = 50 } };

	(void)state;
	snprintf(paths[0], sizeof(paths[0]), "%s/absent", folder.path);
	snprintf(paths[1], sizeof(paths[1]), "%s/first", folder.path);
	snprintf(paths[2], sizeof(paths[2]), "%s/second", folder.path);
	for (size_t i = 0; i < sizeof(searches) / sizeof(searches[0]); i++) {
		const char *what = searches[i].first, *source = searches[i].source;
		struct credentials c = { .username = NULL };
		struct mkrootfs_error error = { .message = "" };
		int status;

		write_file("first", searches[i].first, 0600);
		write_file("second", searches[i].second, 0644);
		status = credentials_find(&c, &sources, "r.io", "x", &error);
		if (status != searches[i].status ||
		    (status < 0 && !strstr(error.message, searches[i].says)))
			fail_msg("%s: %d %s", what, status, error.message);
		assert_text(what, c.username, searches[i].username);
		if (!source != !c.source || (source && !strstr(c.source, source)))
			fail_msg("%s: from %s", what, c.source);
		if (!c.problem != !searches[i].problem ||
		    (c.problem && !strstr(c.problem, searches[i].problem)))
			fail_msg("%s: problem %s", what, c.problem);
		credentials_clear(&c);
	}
}

static void given_ones_count_alone(void **state)
{
	const char *const files[] = { "/nonexistent/../etc" };
	struct credential_sources sources = { .username = "u", .files = { 1, files } };
	struct credentials c = { .username = NULL };
	struct mkrootfs_error error;

	(void)state;
	assert_int_equal(credentials_find(&c, &sources, "r.io", "x", &error), 0);
	assert_string_equal(c.username, "u");
	assert_string_equal(c.password, "");
	assert_null(c.source);
	credentials_clear(&c);
	sources.username = "u:v";
	assert_int_equal(credentials_find(&c, &sources, "r.io", "x", &error),
			 MKROOTFS_ERROR_INVALID);
	credentials_clear(&c);
}

static void a_header_is_made(void **state)
{
	struct mkrootfs_error error;
	char *value;

	(void)state;
	assert_int_equal(credentials_basic(&value, "Aladdin", "open sesame", &error), 0);
	assert_string_equal(value, "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="); /* RFC 7617, section 2 */
	secret_free(value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_helpers),		  cmocka_unit_test(a_caller_can_give_up),
		cmocka_unit_test(stores_and_erases),	  cmocka_unit_test(searches_in_order),
		cmocka_unit_test(given_ones_count_alone), cmocka_unit_test(a_header_is_made),
	};

	return cmocka_run_group_tests(tests, prepare, leave);
}
