/* SPDX-License-Identifier: Apache-2.0 */
#include "retry.h"

#include "../base/hash.h"

#include <stdio.h>
#include <time.h>

#define MAX_STEP 30000 /* milliseconds */
#define TICK 200       /* milliseconds */

void retry_begin(struct retry *retry, const struct retry_policy *policy, const char *subject)
{
	retry->policy = policy;
	retry->failures = 0;
	retry->random = hash_bytes(policy->seed, subject, strlen(subject));
}

void retry_progress(struct retry *retry)
{
	retry->failures = 0;
}

bool retry_is_left(const struct retry *retry, int64_t after)
{
	return retry->failures < retry->policy->limit && after <= RETRY_MAX_AFTER;
}

/* Milliseconds. */
static unsigned next_pause(struct retry *retry, int64_t after)
{
	unsigned first = retry->policy->delay ? retry->policy->delay : RETRY_DEFAULT_DELAY;
	uint64_t step = (uint64_t)first << (retry->failures < 16 ? retry->failures : 16);
	uint64_t jitter;

	if (step > MAX_STEP)
		step = MAX_STEP;
	retry->random = hash_mix(retry->random, retry->failures + 1);
	jitter = retry->random % (step / 2 + 1);
	if (after > 0)
		return (unsigned)((uint64_t)after * 1000 + jitter);
	return (unsigned)(step / 2 + jitter);
}

static void tell(const struct retry *retry, unsigned pause, const char *reason)
{
	const struct retry_policy *policy = retry->policy;
	char text[1200];

	if (!policy->tell)
		return;
	snprintf(text, sizeof(text), "%.1000s; trying again in %u.%u s (%u of %u)", reason,
		 pause / 1000, pause % 1000 / 100, retry->failures, policy->limit);
	policy->tell(policy->tell_user, text);
}

static int64_t monotonic_milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* In short steps: a signal ends one early, and the caller is asked between them. */
static int pause_for(const struct retry_policy *policy, unsigned milliseconds,
		     struct mkrootfs_error *error)
{
	int64_t end = monotonic_milliseconds() + milliseconds, left;

	while ((left = end - monotonic_milliseconds()) > 0) {
		struct timespec step = { .tv_nsec = (left < TICK ? left : TICK) * 1000000L };

		if (policy->tick && policy->tick(policy->tick_user))
			return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
		nanosleep(&step, NULL);
	}
	return 0;
}

int retry_wait(struct retry *retry, int64_t after, const char *reason, struct mkrootfs_error *error)
{
	unsigned pause = next_pause(retry, after);

	retry->failures++;
	tell(retry, pause, reason);
	return pause_for(retry->policy, pause, error);
}
