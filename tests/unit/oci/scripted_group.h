/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One scripted registry for all tests of a program.
 *
 *	static void a_test(void **state) { need_server(); pull_from(server.port); }
 *	cmocka_run_group_tests(tests, start_server, stop_server);
 */
#ifndef TESTS_OCI_SCRIPTED_GROUP_H
#define TESTS_OCI_SCRIPTED_GROUP_H

#include "scripted.h"

/* Behind the includes that cmocka.h needs. */
#include <cmocka.h>

static struct scripted server;
static bool server_runs;

static inline int start_server(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_DFL);
	server_runs = scripted_start(&server);
	return 0;
}

static inline int stop_server(void **state)
{
	(void)state;
	if (server_runs)
		scripted_stop(&server);
	return 0;
}

static inline void need_server(void)
{
	if (server_runs)
		return;
	print_message("SKIPPED: python3 could not run the scripted registry\n");
	skip();
}

#endif
