/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "oci/head.h"

static void take(struct head *head, const char *line)
{
	struct mkrootfs_error error;

	assert_int_equal(head_take_line(head, line, strlen(line), &error), 0);
}

static void expect(const struct head *head, const char *name, const char *value)
{
	struct buf out = BUF_INIT(1000);
	struct mkrootfs_error error;

	assert_int_equal(head_values(&out, head, name, &error), 0);
	assert_string_equal(out.len ? (char *)out.data : "", value);
	buf_free(&out);
}

static void collects_and_joins(void **state)
{
	struct head head;

	(void)state;
	head_init(&head);
	take(&head, "HTTP/1.1 401 Unauthorized\r\n");
	take(&head, "WWW-Authenticate: Basic realm=\"a\"\r\n");
	take(&head, "Content-Type:\t text/plain\r\n");
	take(&head, "www-authenticate:Bearer realm=\"b\"\n");
	take(&head, "X-Empty:\r\n");
	assert_false(head.done);
	take(&head, "\r\n");
	assert_true(head.done);
	assert_int_equal(head.status, 401);
	expect(&head, "WWW-Authenticate", "Basic realm=\"a\", Bearer realm=\"b\"");
	expect(&head, "content-type", "text/plain");
	expect(&head, "Content", "");
	expect(&head, "X-Empty", "");
	expect(&head, "X-Absent", "");
	/* A trailer changes nothing any more. */
	take(&head, "Content-Type: evil\r\n");
	expect(&head, "Content-Type", "text/plain");
	head_free(&head);
}

static void only_the_final_head_counts(void **state)
{
	struct head head;

	(void)state;
	head_init(&head);
	take(&head, "HTTP/1.1 100 Continue\r\n");
	take(&head, "Content-Type: early\r\n");
	take(&head, "\r\n");
	assert_false(head.done);
	take(&head, "HTTP/2 200\r\n");
	take(&head, "\r\n");
	assert_true(head.done);
	assert_int_equal(head.status, 200);
	expect(&head, "Content-Type", "");
	head_clear(&head);
	assert_false(head.done);
	assert_int_equal(head.status, 0);
	head_free(&head);
}

static const struct {
	const char *line;
	int status;
} lines[] = {
	{ "HTTP/1.1 200 OK\r\n", 200 }, { "HTTP/1.1 2000\r\n", 200 }, { "HTTP/1.1\r\n", 0 },
	{ "HTTP/1.1 \r\n", 0 },		{ "HTTP/1.1 x\r\n", 0 },      { "HTTP/1.0 99\r\n", 99 },
};

static void reads_odd_status_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct head head;

		head_init(&head);
		take(&head, lines[i].line);
		assert_int_equal(head.status, lines[i].status);
		head_free(&head);
	}
}

static void caps_all_lines_together(void **state)
{
	struct mkrootfs_error error;
	struct head head;
	char line[1000];
	int status = 0, count = 0;

	(void)state;
	head_init(&head);
	memset(line, 'x', sizeof(line));
	for (; status == 0 && count < 100; count++)
		status = head_take_line(&head, line, sizeof(line), &error);
	assert_int_equal(status, MKROOTFS_ERROR_LIMIT);
	assert_int_equal(count, HEAD_MAX_SIZE / 1001 + 1);
	head_free(&head);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collects_and_joins),
		cmocka_unit_test(only_the_final_head_counts),
		cmocka_unit_test(reads_odd_status_lines),
		cmocka_unit_test(caps_all_lines_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
