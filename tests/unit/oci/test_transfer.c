/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers that break, against the scripted registry: tests/support/scripted_faults.py says what
 * it does for each name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "scripted_group.h"
#include "transports.h"

/* What the registry told as warnings. */
static struct {
	unsigned count;
	char last[1200];
} warnings;

static void on_warning(void *user, const char *text)
{
	(void)user;
	warnings.count++;
	snprintf(warnings.last, sizeof(warnings.last), "%s", text);
}

#define LIMIT 2 /* further attempts */
static const struct registry_options quick = {
	.settings = { .retries = LIMIT, .idle_timeout = 20, .plain_http = 1 },
	.retry_delay = 1,
	.seed = 1,
	.warn = on_warning,
};

static void prepare(void)
{
	memset(&warnings, 0, sizeof(warnings));
	need_server();
}

/* Resolves, and reads the layer. */
static int pull_with(const char *name, const struct registry_options *options,
		     struct mkrootfs_error *error)
{
	struct reference reference;
	struct transport *t = open_at(server.port, name, options, &reference);
	struct resolved_image *image;
	int status = resolve(&image, t, &reference, error);

	if (status == 0)
		status = read_blob(t, &image->manifest.layers[0], error);
	resolved_image_free(image);
	transport_close(t);
	return status;
}

static const struct {
	const char *name;
	int status;
	const char *says; /* in message or advice */
} cases[] = {
	/* Answers that may pass, for each of index, manifest, config and layer. */
	{ "fail/500/1/none/a", 0, "" },
	{ "fail/502/2/none/a", 0, "" },
	{ "fail/503/2/none/a", 0, "" },
	{ "fail/504/1/none/a", 0, "" },
	{ "fail/408/1/none/a", 0, "" },
	{ "fail/429/1/none/a", 0, "" },
	{ "fail/503/1/0/a", 0, "" },
	{ "fail/503/9/none/a", MKROOTFS_ERROR_NETWORK, "HTTP 503 (FAULT: not now)" },
	{ "fail/429/9/none/a", MKROOTFS_ERROR_RATE_LIMIT, "HTTP 429 (FAULT: not now)" },
	{ "latertoken/a", 0, "" },
	{ "drop/a", 0, "" },
	{ "cutmanifest/a", 0, "" },
	/* Answers that stay: asked once. */
	{ "fail/400/1/none/b", MKROOTFS_ERROR_NETWORK, "HTTP 400" },
	{ "fail/403/1/none/b", MKROOTFS_ERROR_DENIED, "HTTP 403" },
	{ "fail/404/1/none/b", MKROOTFS_ERROR_NOT_FOUND, "HTTP 404" },
	{ "fail/501/1/none/b", MKROOTFS_ERROR_NETWORK, "HTTP 501" },
	/* More than a minute is not waited: the user is told. */
	{ "fail/429/1/3600/b", MKROOTFS_ERROR_RATE_LIMIT, "try again in 3600 seconds" },
	{ "fail/503/1/61/b", MKROOTFS_ERROR_NETWORK, "try again in 61 seconds" },
	{ "fail/503/1/99999999999999999999/b", MKROOTFS_ERROR_NETWORK, "in 1000000000 seconds" },
	/* A layer that breaks off, and a server that goes on as it should. */
	{ "cut/partial/a", 0, "" },
	{ "cut/reset/a", 0, "" },
	{ "cut/chunks/a", 0, "" },
	{ "cut/weak/a", 0, "" },
	{ "cut/bare/a", 0, "" },
	{ "cut/unframed/a", 0, "" },
	{ "cut/last/a", 0, "" },
	{ "cut/pieces/a", 0, "" },
	{ "cut/steps/a", 0, "" },
	{ "cut/unknown/a", 0, "" },
	{ "cut/token/a", 0, "" },
	{ "cut/moved/a", 0, "" },
	/* One that cannot, or does not as it should. */
	{ "cut/whole/a", 0, "" },
	{ "cut/unframedwhole/a", 0, "" },
	{ "cut/early/a", 0, "" },
	{ "cut/late/a", 0, "" },
	{ "cut/refused/a", 0, "" },
	{ "cut/several/a", 0, "" },
	{ "cut/unsaid/a", 0, "" },
	{ "cut/total/a", 0, "" },
	{ "cut/garbled/a", 0, "" },
	{ "cut/other/a", MKROOTFS_ERROR_DIGEST, "blob has digest" },
	{ "cut/short/a", MKROOTFS_ERROR_DIGEST, "1800007 bytes" },
	{ "cut/gone/a", MKROOTFS_ERROR_NOT_FOUND, "BLOB_UNKNOWN" },
	{ "cut/never/a", MKROOTFS_ERROR_NETWORK, "at byte 1800007 of 3145728: 127.0.0.1: " },
	{ "cut/same/a", MKROOTFS_ERROR_NETWORK, "at byte 1800007 of 3145728: 127.0.0.1: " },
	{ "cut/denied/a", MKROOTFS_ERROR_DENIED, "HTTP 401" },
	/* The digest that the registry tells. */
	{ "told/a", 0, "" },
	{ "toldnonsense/a", 0, "" },
	{ "toldother/a", MKROOTFS_ERROR_DIGEST, "not what 127.0.0.1 says it sends" },
};

static void ends_as_it_should(void **state)
{
	(void)state;
	prepare();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mkrootfs_error error = { 0 };
		int status = pull_with(cases[i].name, &quick, &error);
		bool said =
			strstr(error.message, cases[i].says) || strstr(error.advice, cases[i].says);

		if (status != cases[i].status || (status < 0 && !said))
			fail_msg("%s: %d %s / %s", cases[i].name, status, error.message,
				 error.advice);
		if (status < 0 && getenv("SHOW_MESSAGES"))
			print_message("%-20s %s / %s\n", cases[i].name, error.message,
				      error.advice);
	}
}

/* ---- How often ---- */

static const struct {
	const char *name;
	int retries;
	int asked; /* how often the layer was asked for */
} counts[] = {
	{ "cut/partial/n", 3, 2 },
	{ "cut/partial/m", -1, 1 },
	{ "cut/late/n", 3, 3 }, /* the wrong range, then all of it */
	{ "cut/never/n", 3, 1 + 3 },
	{ "cut/never/m", 1, 1 + 1 },
	{ "cut/same/n", 3, 1 + 3 },
	/* 1,345,721 bytes are left in steps of 200,000: more breaks than attempts are allowed. */
	{ "cut/steps/n", 1, 1 + 7 },
	{ "cut/token/n", 3, 4 },  /* 401, cut, 401, the rest */
	{ "cut/denied/n", 3, 4 }, /* 401, cut, 401, 401 */
};

static void attempts_are_bounded_and_progress_renews_them(void **state)
{
	(void)state;
	prepare();
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct registry_options options = quick;
		struct mkrootfs_error error;
		char counter[64];
		int asked;

		options.settings.retries = counts[i].retries;
		pull_with(counts[i].name, &options, &error);
		snprintf(counter, sizeof(counter), "blob+%s", counts[i].name);
		asked = scripted_count(&server, counter);
		if (asked != counts[i].asked)
			fail_msg("%s: asked %d times", counts[i].name, asked);
	}
}

static void says_what_it_waits_for(void **state)
{
	struct mkrootfs_error error;

	(void)state;
	prepare();
	assert_int_equal(pull_with("fail/503/9/none/w", &quick, &error), MKROOTFS_ERROR_NETWORK);
	assert_int_equal(warnings.count, LIMIT);
	assert_string_equal(warnings.last,
			    "127.0.0.1 answers HTTP 503; trying again in 0.0 s (2 of 2)");
	assert_int_equal(pull_with("cut/reset/w", &quick, &error), 0);
	assert_int_equal(warnings.count, LIMIT + 1);
	assert_non_null(strstr(warnings.last, "at byte "));
	assert_non_null(strstr(warnings.last, "(1 of 2)"));
}

/* ---- When ---- */

static int64_t milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int waiting;

static int stop_at_second(void *user)
{
	(void)user;
	return ++waiting >= 2;
}

/* The first pause alone would last an hour. */
static void can_be_cancelled_while_it_waits(void **state)
{
	struct registry_options options = quick;
	struct mkrootfs_error error;
	int64_t start = milliseconds();

	(void)state;
	prepare();
	options.retry_delay = 30000;
	options.wait = stop_at_second;
	waiting = -1000; /* not while it waits for answers */
	assert_int_equal(pull_with("fail/503/0/none/c", &options, &error), 0);
	waiting = 0;
	assert_int_equal(pull_with("fail/503/9/30/c", &options, &error), MKROOTFS_ERROR_CANCELLED);
	assert_true(milliseconds() - start < 20000);
}

static const struct {
	const char *name;
	int64_t least; /* milliseconds */
} waits[] = {
	{ "fail/503/1/1/t", 4 * 1000 }, /* index, manifest, config, layer */
	{ "fail/429/1/date/t", 4 * 1000 },
	{ "cut/busy/t", 1000 },
};

static void waits_as_long_as_it_is_asked_to(void **state)
{
	(void)state;
	prepare();
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		struct mkrootfs_error error;
		int64_t start = milliseconds();

		if (pull_with(waits[i].name, &quick, &error) < 0)
			fail_msg("%s: %s", waits[i].name, error.message);
		if (milliseconds() - start < waits[i].least)
			fail_msg("%s: only %d ms", waits[i].name, (int)(milliseconds() - start));
	}
}

/* An open connection on which nothing comes any more is given up, and the rest asked for anew. */
static void goes_on_when_a_server_falls_silent(void **state)
{
	struct registry_options options = quick;
	struct mkrootfs_error error = { 0 };

	(void)state;
	prepare();
	options.settings.idle_timeout = 2;
	if (pull_with("cut/stall/s", &options, &error) < 0)
		fail_msg("%s", error.message);
	assert_non_null(strstr(warnings.last, "no byte came for 2 seconds"));
}

/* ---- From an offset ---- */

static void expect_rest(struct transport *t, const struct descriptor *layer, const struct buf *all,
			uint64_t offset)
{
	struct buf rest = BUF_INIT(8u << 20);
	struct mkrootfs_error error;
	struct source *s;

	assert_int_equal(transport_open_blob(t, &s, layer, offset, &error), 0);
	assert_int_equal(source_read_all(&rest, s, &error), 0);
	assert_int_equal(rest.len, all->len - offset);
	if (rest.len > 0)
		assert_memory_equal(rest.data, all->data + offset, rest.len);
	source_close(s);
	buf_free(&rest);
}

/* The second server knows no ranges: what comes before the offset is passed over. */
static void begins_at_an_offset(void **state)
{
	static const char *const names[] = { "ranges/o", "open/o" };

	(void)state;
	prepare();
	for (size_t i = 0; i < 2; i++) {
		struct buf all = BUF_INIT(8u << 20);
		struct mkrootfs_error error;
		struct reference reference;
		struct transport *t = open_at(server.port, names[i], &quick, &reference);
		const struct descriptor *layer;
		struct resolved_image *image;
		struct source *s;
		int parts = scripted_count(&server, "parts");

		assert_int_equal(resolve(&image, t, &reference, &error), 0);
		layer = &image->manifest.layers[0];
		assert_int_equal(transport_open_blob(t, &s, layer, 0, &error), 0);
		assert_int_equal(source_read_all(&all, s, &error), 0);
		source_close(s);
		expect_rest(t, layer, &all, 1);
		expect_rest(t, layer, &all, 2000000);
		expect_rest(t, layer, &all, all.len - 1);
		expect_rest(t, layer, &all, all.len);
		assert_int_equal(scripted_count(&server, "parts"), parts + (i == 0 ? 3 : 0));
		buf_free(&all);
		resolved_image_free(image);
		transport_close(t);
	}
}

/* ---- Nobody listens, yet ---- */

struct late {
	int socket;
	pid_t pid;
};

/* The first warning is about a refused connection: now somebody listens, who knows no image. */
static void begin_to_listen(void *user, const char *text)
{
	static const char answer[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
	struct late *late = user;
	char request[4096];
	int connection;

	on_warning(NULL, text);
	if (late->pid)
		return;
	assert_int_equal(listen(late->socket, 1), 0);
	late->pid = fork();
	if (late->pid)
		return;
	connection = accept(late->socket, NULL, NULL);
	if (read(connection, request, sizeof(request)) > 0 &&
	    write(connection, answer, sizeof(answer) - 1) > 0)
		_exit(0);
	_exit(1);
}

static void a_refused_connection_is_tried_again(void **state)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	struct late late = { .socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
	struct registry_options options = quick;
	struct mkrootfs_error error;
	struct scripted before = server;

	(void)state;
	prepare();
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(late.socket, (struct sockaddr *)&address, size), 0);
	assert_int_equal(getsockname(late.socket, (struct sockaddr *)&address, &size), 0);
	server.port = ntohs(address.sin_port);
	options.warn = begin_to_listen;
	options.warn_user = &late;
	assert_int_equal(pull_with("x", &options, &error), MKROOTFS_ERROR_NOT_FOUND);
	server = before;
	assert_int_equal(warnings.count, 1);
	assert_non_null(strstr(warnings.last, "Connection refused"));
	close(late.socket);
	waitpid(late.pid, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_as_it_should),
		cmocka_unit_test(attempts_are_bounded_and_progress_renews_them),
		cmocka_unit_test(says_what_it_waits_for),
		cmocka_unit_test(can_be_cancelled_while_it_waits),
		cmocka_unit_test(waits_as_long_as_it_is_asked_to),
		cmocka_unit_test(goes_on_when_a_server_falls_silent),
		cmocka_unit_test(begins_at_an_offset),
		cmocka_unit_test(a_refused_connection_is_tried_again),
	};

	return cmocka_run_group_tests(tests, start_server, stop_server);
}
