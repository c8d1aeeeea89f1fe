/* SPDX-License-Identifier: Apache-2.0 */
#include "sigpipe.h"

static bool is_pending(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

static void only_sigpipe(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGPIPE);
}

void sigpipe_hold(struct sigpipe_hold *hold)
{
	sigset_t set;

	only_sigpipe(&set);
	hold->was_pending = is_pending();
	pthread_sigmask(SIG_BLOCK, &set, &hold->before);
}

void sigpipe_release(const struct sigpipe_hold *hold)
{
	sigset_t set;
	int signal;

	only_sigpipe(&set);
	if (!hold->was_pending && is_pending())
		sigwait(&set, &signal);
	pthread_sigmask(SIG_SETMASK, &hold->before, NULL);
}
