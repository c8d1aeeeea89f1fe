/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the processor can do, as the C library found out when the process began. Asking the
 * processor itself, as a compiler's __builtin_cpu_supports does at each start, is an exit to the
 * hypervisor for each question in a virtual machine.
 */
#ifndef MKROOTFS_BASE_CPU_H
#define MKROOTFS_BASE_CPU_H

#include <stdbool.h>

#if defined(__x86_64__)

#if __has_include(<sys/platform/x86.h>) /* glibc 2.33 */
#include <sys/platform/x86.h>
#endif

static inline bool cpu_has_sse42(void)
{
#ifdef CPU_FEATURE_ACTIVE
	return CPU_FEATURE_ACTIVE(SSE4_2);
#else
	return __builtin_cpu_supports("sse4.2");
#endif
}

static inline bool cpu_has_avx2(void)
{
#ifdef CPU_FEATURE_ACTIVE
	return CPU_FEATURE_ACTIVE(AVX2);
#else
	return __builtin_cpu_supports("avx2");
#endif
}

#endif

#endif
