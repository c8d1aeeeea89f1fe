/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One writer at a time for each digest, among threads and processes. All locks are bytes of one
 * file, so that nothing is left to clean up; the kernel releases those of a process that dies.
 *
 *	lock_take(&l, path, &digest, wait, user, error);
 *	lock_release(l);
 */
#ifndef MKROOTFS_STORE_LOCK_H
#define MKROOTFS_STORE_LOCK_H

#include "../base/digest.h"

struct lock;

/* Called about ten times a second while another holds the lock; non-zero gives up (CANCELLED). */
typedef int (*lock_wait_fn)(void *user);

int lock_take(struct lock **out, const char *path, const struct digest *digest, lock_wait_fn wait,
	      void *user, struct mkrootfs_error *error);
/* NULL is allowed. */
void lock_release(struct lock *lock);

#endif
