/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of the library. They take no signals: handlers are the program's, and run in its own
 * threads.
 */
#ifndef MKROOTFS_IO_THREAD_H
#define MKROOTFS_IO_THREAD_H

#include <pthread.h>

/* As pthread_create, 0 or an errno; to be joined. */
int thread_start(pthread_t *thread, void *(*run)(void *user), void *user);
/* Processors that this process may run on, at least 1. */
unsigned thread_processors(void);

#endif
