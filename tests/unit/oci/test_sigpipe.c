/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <unistd.h>

#include "oci/sigpipe.h"

static void break_a_pipe(void)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	assert_int_equal(write(ends[1], "x", 1), -1);
	assert_int_equal(errno, EPIPE);
	close(ends[1]);
}

static bool is_blocked(void)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	return sigismember(&now, SIGPIPE) == 1;
}

static bool is_pending(void)
{
	sigset_t now;

	sigpending(&now);
	return sigismember(&now, SIGPIPE) == 1;
}

/* With the default action the signal would end this program. */
static void swallows_its_own(void **state)
{
	struct sigpipe_hold hold;

	(void)state;
	signal(SIGPIPE, SIG_DFL);
	sigpipe_hold(&hold);
	break_a_pipe();
	sigpipe_release(&hold);
	assert_false(is_pending());
	assert_false(is_blocked());
}

static void leaves_the_programs_own(void **state)
{
	struct sigpipe_hold outer, inner;

	(void)state;
	sigpipe_hold(&outer);
	break_a_pipe(); /* the program's, pending */
	sigpipe_hold(&inner);
	break_a_pipe();
	sigpipe_release(&inner);
	assert_true(is_pending());
	assert_true(is_blocked());
	sigpipe_release(&outer);
	assert_false(is_pending());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(swallows_its_own),
		cmocka_unit_test(leaves_the_programs_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
