/* SPDX-License-Identifier: Apache-2.0 */
/* When to try again: Retry-After, and the pauses of our own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "oci/retry.h"

/* ---- Retry-After ---- */

static const char noon[] = "Mon, 30 Nov 2026 12:00:00 GMT";

static const struct {
	const char *value, *date;
	int64_t seconds;
} afters[] = {
	{ NULL, noon, RETRY_AFTER_UNKNOWN },
	{ "", noon, RETRY_AFTER_UNKNOWN },
	{ "0", NULL, 0 },
	{ "120", NULL, 120 },
	{ "999999999", NULL, 999999999 },
	{ "99999999999999999999999", NULL, RETRY_AFTER_MAX },
	{ "-1", NULL, RETRY_AFTER_UNKNOWN },
	{ "1.5", NULL, RETRY_AFTER_UNKNOWN },
	{ "1 ", NULL, RETRY_AFTER_UNKNOWN },
	{ "5, 5", NULL, RETRY_AFTER_UNKNOWN },
	{ "Mon, 30 Nov 2026 12:00:07 GMT", noon, 7 },
	{ "Tue, 01 Dec 2026 00:00:00 GMT", noon, 12 * 3600 },
	{ "Mon, 30 Nov 2026 11:59:59 GMT", noon, 0 },
	{ "Mon, 30 Nov 2026 12:00:07 GMT", NULL, RETRY_AFTER_UNKNOWN },
	{ "Mon, 30 Nov 2026 12:00:07 GMT", "today", RETRY_AFTER_UNKNOWN },
	{ "Fri, 31 Dec 9999 23:59:59 GMT", noon, RETRY_AFTER_MAX },
	{ "soon", noon, RETRY_AFTER_UNKNOWN },
};

static void reads_seconds_and_dates(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(afters) / sizeof(afters[0]); i++) {
		int64_t seconds = retry_after_seconds(afters[i].value, afters[i].date);

		if (seconds != afters[i].seconds)
			fail_msg("'%s': %d", afters[i].value ? afters[i].value : "(none)",
				 (int)seconds);
	}
}

/* The seconds are those that 'date -u -d' prints. */
static const struct {
	const char *text;
	int64_t seconds;
} dates[] = {
	{ "Thu, 01 Jan 1970 00:00:00 GMT", 0 },
	{ "Sun, 06 Nov 1994 08:49:37 GMT", 784111777 },
	{ "Tue, 29 Feb 2000 23:59:60 GMT", 951868800 },
	{ "Thu, 29 Feb 2024 12:00:00 GMT", 1709208000 },
	{ "Sat, 01 Mar 2025 00:00:00 GMT", 1740787200 },
	{ "Mon, 01 Mar 2100 00:00:00 GMT", 4107542400 },
	{ "Fri, 31 Dec 9999 23:59:59 GMT", 253402300799 },
	{ "Sun, 06 Nov 1969 08:49:37 GMT", -1 },
	{ "Sun, 00 Nov 1994 08:49:37 GMT", -1 },
	{ "Sun, 32 Nov 1994 08:49:37 GMT", -1 },
	{ "Sun, 06 Nov 1994 24:49:37 GMT", -1 },
	{ "Sun, 06 Nov 1994 08:60:37 GMT", -1 },
	{ "Sun, 06 Nov 1994 08:49:61 GMT", -1 },
	{ "Sun, 06 nov 1994 08:49:37 GMT", -1 },
	{ "Sun, 06 Foo 1994 08:49:37 GMT", -1 },
	{ "Sun, 06 Nov 1994 08:49:37 CET", -1 },
	{ "Sun, 06 Nov 1994 08:49:37 GMT ", -1 },
	{ "Sun, 6 Nov 1994 08:49:37 GMT", -1 },
	{ "Sun, 06 Nov 1994 0a:49:37 GMT", -1 },
	{ "Sunday, 06-Nov-94 08:49:37 GMT", -1 },
	{ "Sun Nov  6 08:49:37 1994", -1 },
	{ "", -1 },
};

static void reads_the_one_form_of_dates(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++)
		if (http_date_parse(dates[i].text) != dates[i].seconds)
			fail_msg("%s: %lld", dates[i].text,
				 (long long)http_date_parse(dates[i].text));
}

/* ---- Pauses ---- */

/* Cancels at once, so that nothing is waited for; the pause is read off what is told. */
static int at_once(void *user)
{
	(void)user;
	return 1;
}

static void note(void *user, const char *text)
{
	unsigned whole = 0, tenths = 0;
	const char *words = strstr(text, "trying again in ");

	assert_non_null(words);
	assert_int_equal(sscanf(words, "trying again in %u.%u s", &whole, &tenths), 2);
	*(unsigned *)user = whole * 1000 + tenths * 100;
}

/* The length of the next pause, in milliseconds, cut to tenths of a second. */
static unsigned pause_of(struct retry *retry, int64_t after)
{
	struct mkrootfs_error error;
	unsigned told = 0;
	struct retry_policy policy = *retry->policy;

	policy.tell_user = &told;
	retry->policy = &policy;
	assert_int_equal(retry_wait(retry, after, "x", &error), MKROOTFS_ERROR_CANCELLED);
	return told;
}

static struct retry_policy policy_of(unsigned limit, uint64_t seed)
{
	return (struct retry_policy){
		.limit = limit, .delay = 1000, .seed = seed, .tick = at_once, .tell = note
	};
}

static void pauses_double_up_to_half_a_minute(void **state)
{
	static const unsigned steps[] = { 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000 };

	(void)state;
	for (uint64_t seed = 1; seed < 50; seed++) {
		struct retry_policy policy = policy_of(100, seed);
		struct retry retry;

		retry_begin(&retry, &policy, "https://a/");
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
			unsigned pause = pause_of(&retry, RETRY_AFTER_UNKNOWN);

			retry.policy = &policy;
			assert_in_range(pause, steps[i] / 2 - 100, steps[i]);
		}
		retry_progress(&retry);
		assert_in_range(pause_of(&retry, RETRY_AFTER_UNKNOWN), 400, 1000);
	}
}

static void equal_seeds_and_subjects_pause_alike(void **state)
{
	static const struct {
		uint64_t seed;
		const char *subject;
	} runs[] = {
		{ 7, "https://a/" }, { 7, "https://a/" }, { 8, "https://a/" }, { 7, "https://b/" }
	};
	unsigned pauses[4][6];

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct retry_policy policy = policy_of(100, runs[i].seed);
		struct retry retry;

		retry_begin(&retry, &policy, runs[i].subject);
		for (size_t j = 0; j < 6; j++) {
			pauses[i][j] = pause_of(&retry, RETRY_AFTER_UNKNOWN);
			retry.policy = &policy;
		}
	}
	assert_memory_equal(pauses[0], pauses[1], sizeof(pauses[0]));
	assert_memory_not_equal(pauses[0], pauses[2], sizeof(pauses[0]));
	assert_memory_not_equal(pauses[0], pauses[3], sizeof(pauses[0]));
}

/* At least what the server asks for, and at most a little more. */
static void a_server_is_given_its_time(void **state)
{
	struct retry_policy policy = policy_of(3, 1);
	struct retry retry;

	(void)state;
	retry_begin(&retry, &policy, "x");
	assert_in_range(pause_of(&retry, 20), 20000, 20500);
	retry.policy = &policy;
	assert_true(retry_is_left(&retry, RETRY_MAX_AFTER));
	assert_false(retry_is_left(&retry, RETRY_MAX_AFTER + 1));
}

static void attempts_are_counted(void **state)
{
	struct retry_policy policy = policy_of(2, 1);
	struct retry retry;

	(void)state;
	retry_begin(&retry, &policy, "x");
	for (int i = 0; i < 2; i++) {
		assert_true(retry_is_left(&retry, RETRY_AFTER_UNKNOWN));
		pause_of(&retry, RETRY_AFTER_UNKNOWN);
		retry.policy = &policy;
	}
	assert_false(retry_is_left(&retry, RETRY_AFTER_UNKNOWN));
	retry_progress(&retry);
	assert_true(retry_is_left(&retry, RETRY_AFTER_UNKNOWN));
	policy.limit = 0;
	assert_false(retry_is_left(&retry, RETRY_AFTER_UNKNOWN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_seconds_and_dates),
		cmocka_unit_test(reads_the_one_form_of_dates),
		cmocka_unit_test(pauses_double_up_to_half_a_minute),
		cmocka_unit_test(equal_seeds_and_subjects_pause_alike),
		cmocka_unit_test(a_server_is_given_its_time),
		cmocka_unit_test(attempts_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
