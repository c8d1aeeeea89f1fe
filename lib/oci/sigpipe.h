/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps SIGPIPE of the calling thread from the host program while a TLS library writes to a socket
 * that the peer may have closed. No signal handler and no other thread is touched.
 *
 *	struct sigpipe_hold hold;
 *	sigpipe_hold(&hold);
 *	... code that may write ...
 *	sigpipe_release(&hold);
 */
#ifndef MKROOTFS_OCI_SIGPIPE_H
#define MKROOTFS_OCI_SIGPIPE_H

#include <signal.h>
#include <stdbool.h>

struct sigpipe_hold {
	sigset_t before;
	bool was_pending; /* one was waiting already: it stays the program's own */
};

void sigpipe_hold(struct sigpipe_hold *hold);
void sigpipe_release(const struct sigpipe_hold *hold);

#endif
