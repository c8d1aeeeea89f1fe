/* SPDX-License-Identifier: Apache-2.0 */
/* The monotonic clock, for time limits and the age of tokens. */
#ifndef MKROOTFS_OCI_MONOTONIC_H
#define MKROOTFS_OCI_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline int64_t monotonic_milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
