/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether and when to try again what failed but may pass: a bounded number of attempts, further
 * and further apart.
 *
 *	struct retry retry;
 *
 *	retry_begin(&retry, &policy, url);
 *	while (attempt(error) < 0) {
 *		if (!may_pass || !retry_is_left(&retry, after))
 *			return error->status;
 *		if (retry_wait(&retry, after, error->message, error) < 0)
 *			return error->status;			cancelled
 *	}
 *
 * The n-th pause is between half and all of delay * 2^n, at most 30 seconds: those whom one failure
 * hit at once do not come back at once. What a server asks for by Retry-After is waited at least.
 */
#ifndef MKROOTFS_OCI_RETRY_H
#define MKROOTFS_OCI_RETRY_H

#include "../base/error.h"
#include "retry_after.h"

#include <stdbool.h>

#define RETRY_DEFAULT_LIMIT 3
#define RETRY_DEFAULT_DELAY 1000 /* milliseconds */
#define RETRY_MAX_AFTER 60	 /* seconds that a server may make us wait; see retry_is_left */

/* Called several times a second while time passes; non-zero gives up (CANCELLED). */
typedef int (*retry_tick_fn)(void *user);
/* Told before a pause: one line about what failed, and when it is tried again. */
typedef void (*retry_tell_fn)(void *user, const char *text);

struct retry_policy {
	unsigned limit;	    /* attempts behind the first one that bring no progress */
	unsigned delay;	    /* milliseconds, of the first pause; 0: RETRY_DEFAULT_DELAY */
	uint64_t seed;	    /* of the lengths of pauses */
	retry_tick_fn tick; /* or NULL */
	void *tick_user;
	retry_tell_fn tell; /* or NULL */
	void *tell_user;
};

struct retry {
	const struct retry_policy *policy;
	unsigned failures; /* in a row, without progress between them */
	uint64_t random;
};

/* policy is borrowed. subject makes the pauses of different requests differ. */
void retry_begin(struct retry *retry, const struct retry_policy *policy, const char *subject);
/*
 * after: seconds that the server asks for, or RETRY_AFTER_UNKNOWN. When it asks for more than
 * RETRY_MAX_AFTER nothing is left: whoever is turned away for an hour is told so now.
 */
bool retry_is_left(const struct retry *retry, int64_t after);
/* Pauses before the next attempt; reason says what failed. Fails with CANCELLED only. */
int retry_wait(struct retry *retry, int64_t after, const char *reason,
	       struct mkrootfs_error *error);
/* Something came: the next failure counts as the first. */
void retry_progress(struct retry *retry);

#endif
