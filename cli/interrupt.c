/* SPDX-License-Identifier: Apache-2.0 */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

/* The command's only global: a handler has no other place to write to. */
static volatile sig_atomic_t received;

static const int watched[] = { SIGINT, SIGTERM, SIGHUP };

static void note(int number)
{
	received = number;
}

void interrupt_watch(void)
{
	/* System calls go on: the library is told by the callback, not by EINTR. */
	struct sigaction action = { .sa_handler = note,
				    .sa_flags = (int)(SA_RESTART | SA_RESETHAND) };
	struct sigaction old;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++) {
		if (!sigaction(watched[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(watched[i], &action, NULL);
	}
}

int interrupt_signal(void)
{
	return received;
}
