/* SPDX-License-Identifier: Apache-2.0 */
/* Users of a registry, against the scripted one: its scenarios are described there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scripted_group.h"
#include "temp_folder.h"
#include "transports.h"

#define PASSWORD "s3cret:with:colons"
#define BASE64 "Ym9iOnMzY3JldDp3aXRoOmNvbG9ucw=="

static struct temp_folder folder;

struct outcome {
	int status;
	struct mkrootfs_error error;
};

static struct outcome pull_with(const char *name, const struct mkrootfs_registry_options *settings)
{
	const struct registry_options options = { .settings = *settings };
	struct outcome o = { .error = { .message = "" } };
	struct resolved_image *image;
	struct reference reference;
	struct transport *t = open_at(server.port, name, &options, &reference);

	o.status = resolve(&image, t, &reference, &o.error);
	if (o.status == 0)
		o.status = read_blob(t, &image->manifest.layers[0], &o.error);
	resolved_image_free(image);
	transport_close(t);
	return o;
}

/* An auth file whose entry for the scripted registry is this JSON. */
static struct outcome pull_by_file(const char *name, const char *entry)
{
	const char *path = temp_folder_path(&folder, "auth.json");
	const struct mkrootfs_registry_options settings = { .auth_files = { 1, &path } };
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fprintf(file, "{\"auths\":{\"127.0.0.1:%d\":%s}}", server.port, entry);
	fclose(file);
	return pull_with(name, &settings);
}

static int fetch_number(const char *path)
{
	char command[200];
	FILE *pipe;
	int value = -1;

	snprintf(command, sizeof(command),
		 "python3 -c 'import urllib.request as u;"
		 "print(u.urlopen(\"http://127.0.0.1:%d/%s\").read().decode() or 0)'",
		 server.port, path);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_int_equal(fscanf(pipe, "%d", &value), 1);
	pclose(pipe);
	return value;
}

static void prepare(void)
{
	need_server();
	fetch_number("ping/missing");
}

#define BOB "{\"auth\":\"" BASE64 "\"}"
#define EVE "{\"auth\":\"ZXZlOnMzY3JldC1vZi1ldmU=\"}" /* eve:s3cret-of-eve */
#define IDENTITY "{\"auth\":\"Og==\",\"identitytoken\":\"identity-token-0123456789\"}"
#define WRONG_IDENTITY "{\"identitytoken\":\"another-identity-0123456789\"}"
#define REGISTRY_TOKEN "{\"registrytoken\":\"registry-token-0123456789\"}"
#define WRONG_REGISTRY_TOKEN "{\"registrytoken\":\"another-registry-0123456789\"}"
#define FROM_FILE "auth.json'"

static const struct {
	const char *name, *entry;
	int status;
	const char *says;
} logins[] = {
	{ "open/x", BOB, 0, "" },
	{ "private/x", BOB, 0, "" },
	{ "user/x", BOB, 0, "" },
	{ "userpost/x", BOB, 0, "" },
	{ "userget/x", BOB, 0, "" },
	{ "userbare/x", BOB, 0, "" },
	{ "userpost/x", IDENTITY, 0, "" },
	{ "user/x", IDENTITY, 0, "" },
	{ "userget/x", IDENTITY, 0, "" },
	{ "bearer/x", REGISTRY_TOKEN, 0, "" },
	/* Nobody, and the wrong one. */
	{ "private/x", "{}", MKROOTFS_ERROR_DENIED, "; no credentials are known for it" },
	{ "user/x", "{}", MKROOTFS_ERROR_DENIED, "; no credentials are known for it" },
	{ "private/x", EVE, MKROOTFS_ERROR_DENIED, "; asked as user 'eve' of '/tmp/" },
	{ "user/x", EVE, MKROOTFS_ERROR_DENIED,
	  "(UNAUTHORIZED: incorrect username or password); asked as user 'eve' of '/tmp/" },
	{ "userpost/x", WRONG_IDENTITY, MKROOTFS_ERROR_DENIED, "; asked with the token of '/tmp/" },
	{ "bearer/x", WRONG_REGISTRY_TOKEN, MKROOTFS_ERROR_DENIED,
	  "; asked with the token of '/tmp/" },
	{ "private/x", IDENTITY, MKROOTFS_ERROR_DENIED,
	  "asks for a user name and a password, but" },
	/* What must go nowhere else. */
	{ "usermoved/x", IDENTITY, MKROOTFS_ERROR_NETWORK, "HTTP 307" },
	{ "realm_other/x", BOB, MKROOTFS_ERROR_DENIED, "plain http to that host is refused" },
	{ "realm_file/x", BOB, MKROOTFS_ERROR_MALFORMED, "only https and http" },
	{ "echo/x", BOB, MKROOTFS_ERROR_NETWORK, "HTTP 400 (bad header: Basic ****" },
	{ "eviltoken/x", "{}", MKROOTFS_ERROR_MALFORMED, "no token may hold" },
};

static const char *const secrets[] = { PASSWORD,	 "Ym9iOnMz",	    "s3cret-of-eve",
				       "ZXZlOnMz",	 "identity-token",  "another-identity",
				       "registry-token", "another-registry" };

static void no_secret_in(const struct mkrootfs_error *error)
{
	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++)
		if (strstr(error->message, secrets[i]) || strstr(error->advice, secrets[i]))
			fail_msg("a secret is in: %s", error->message);
}

static void logs_in(void **state)
{
	(void)state;
	prepare();
	for (size_t i = 0; i < sizeof(logins) / sizeof(logins[0]); i++) {
		struct outcome o = pull_by_file(logins[i].name, logins[i].entry);

		if (o.status != logins[i].status || !strstr(o.error.message, logins[i].says))
			fail_msg("%s %s: %d %s", logins[i].name, logins[i].entry, o.status,
				 o.error.message);
		if (o.status == MKROOTFS_ERROR_DENIED && strstr(o.error.message, "; ") &&
		    !strstr(o.error.advice, "'mkrootfs login 127.0.0.1:"))
			fail_msg("%s: %s", logins[i].name, o.error.advice);
		no_secret_in(&o.error);
		if (getenv("SHOW_MESSAGES"))
			print_message("%-12s %s\n  (%s)\n", logins[i].name, o.error.message,
				      o.error.advice);
	}
	assert_int_equal(fetch_number("count/stolen"), 0);
}

static void takes_given_ones(void **state)
{
	struct mkrootfs_registry_options settings = { .username = "bob", .password = PASSWORD };
	struct outcome o;

	(void)state;
	prepare();
	assert_int_equal(pull_with("private/y", &settings).status, 0);
	assert_int_equal(pull_with("user/y", &settings).status, 0);
	settings.password = "s3cret-of-eve";
	o = pull_with("user/y", &settings);
	assert_int_equal(o.status, MKROOTFS_ERROR_DENIED);
	assert_non_null(strstr(o.error.message, "; asked as user 'bob'"));
	assert_string_equal(o.error.advice, "check the user name and the password");
	no_secret_in(&o.error);
}

/* What is hidden from those who did not log in is found, since /v2/ says how to. */
static void asks_for_the_challenge_first(void **state)
{
	int pings, tokens;

	(void)state;
	prepare();
	assert_int_equal(pull_by_file("hidden/x", BOB).status, MKROOTFS_ERROR_NOT_FOUND);
	fetch_number("ping/basic");
	pings = fetch_number("count/pings");
	assert_int_equal(pull_by_file("hidden/x", BOB).status, 0);
	assert_int_equal(fetch_number("count/pings"), pings + 1);
	/* Who has no credentials does not ask. */
	assert_int_equal(pull_by_file("open/x", "{}").status, 0);
	assert_int_equal(fetch_number("count/pings"), pings + 1);
	/* The token is for the repository, whatever the scope of this challenge. */
	fetch_number("ping/user");
	tokens = fetch_number("count/tokens");
	assert_int_equal(pull_by_file("user/x", BOB).status, 0);
	assert_int_equal(fetch_number("count/tokens"), tokens + 1);
	fetch_number("ping/open");
	assert_int_equal(pull_by_file("user/x", BOB).status, 0);
}

/* A token that is too old is not sent: the next one is fetched without a 401. */
static void renews_old_tokens(void **state)
{
	const struct registry_options options = { .settings = { .username = "bob",
								.password = PASSWORD } };
	struct mkrootfs_error error;
	struct resolved_image *image;
	struct reference reference;
	struct transport *t;
	int tokens;

	(void)state;
	prepare();
	t = open_at(server.port, "usershort/x", &options, &reference);
	assert_int_equal(resolve(&image, t, &reference, &error), 0);
	tokens = fetch_number("count/tokens");
	for (int i = 1; i <= 2; i++) {
		nanosleep(&(struct timespec){ .tv_sec = 1, .tv_nsec = 10000000 }, NULL);
		assert_int_equal(read_blob(t, &image->manifest.layers[0], &error), 0);
		assert_int_equal(fetch_number("count/tokens"), tokens + i);
	}
	assert_int_equal(fetch_number("count/refused"), 1); /* the first request of all */
	resolved_image_free(image);
	transport_close(t);
}

struct thread {
	pthread_t id;
	struct transport *transport;
	const struct resolved_image *image;
	struct outcome outcome;
};

static void *read_in_thread(void *user)
{
	struct thread *thread = user;

	thread->outcome.status = read_blob(thread->transport, &thread->image->manifest.layers[0],
					   &thread->outcome.error);
	return NULL;
}

static void threads_share_a_token(void **state)
{
	static const struct registry_options options = { .settings = { .plain_http = 1 } };
	struct thread threads[8];
	struct mkrootfs_error error;
	struct resolved_image *image;
	struct reference reference;
	struct transport *t, *fresh;
	int tokens;

	(void)state;
	prepare();
	t = open_at(server.port, "token/x", &options, &reference);
	assert_int_equal(resolve(&image, t, &reference, &error), 0);
	fresh = open_at(server.port, "token/x", &options, &reference);
	tokens = fetch_number("count/tokens");
	for (size_t i = 0; i < 8; i++) {
		threads[i].transport = fresh;
		threads[i].image = image;
		assert_int_equal(pthread_create(&threads[i].id, NULL, read_in_thread, &threads[i]),
				 0);
	}
	for (size_t i = 0; i < 8; i++) {
		pthread_join(threads[i].id, NULL);
		assert_int_equal(threads[i].outcome.status, 0);
	}
	assert_int_equal(fetch_number("count/tokens"), tokens + 1);
	resolved_image_free(image);
	transport_close(t);
	transport_close(fresh);
}

static int start(void **state)
{
	temp_folder_make(&folder);
	return start_server(state);
}

static int stop(void **state)
{
	temp_folder_remove(&folder);
	return stop_server(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logs_in),
		cmocka_unit_test(takes_given_ones),
		cmocka_unit_test(asks_for_the_challenge_first),
		cmocka_unit_test(renews_old_tokens),
		cmocka_unit_test(threads_share_a_token),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
