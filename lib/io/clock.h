/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long things take, on the monotonic clock, which nobody reads unless a caller asked for times,
 * or something has to be waited for or judged by its speed.
 *
 *	uint64_t start = clock_nanoseconds();
 *	...
 *	spent += clock_nanoseconds() - start;
 */
#ifndef MKROOTFS_IO_CLOCK_H
#define MKROOTFS_IO_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
