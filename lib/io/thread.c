/* SPDX-License-Identifier: Apache-2.0 */
#include "thread.h"

#include <sched.h>
#include <signal.h>

int thread_start(pthread_t *thread, void *(*run)(void *user), void *user)
{
	sigset_t all, before;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	status = pthread_create(thread, NULL, run, user);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

unsigned thread_processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return 1;
	return CPU_COUNT(&set) > 0 ? (unsigned)CPU_COUNT(&set) : 1;
}
