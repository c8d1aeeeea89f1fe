/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on sizes that come from outside: each helper returns false on overflow. */
#ifndef MKROOTFS_BASE_CHECKED_H
#define MKROOTFS_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool checked_add_u64(uint64_t *out, uint64_t a, uint64_t b)
{
	return !__builtin_add_overflow(a, b, out);
}

static inline bool checked_mul_u64(uint64_t *out, uint64_t a, uint64_t b)
{
	return !__builtin_mul_overflow(a, b, out);
}

static inline bool checked_add_size(size_t *out, size_t a, size_t b)
{
	return !__builtin_add_overflow(a, b, out);
}

static inline bool checked_mul_size(size_t *out, size_t a, size_t b)
{
	return !__builtin_mul_overflow(a, b, out);
}

/* v rounded up to a multiple of unit, a power of two. The caller knows that v + unit fits. */
static inline uint64_t round_up_u64(uint64_t v, uint64_t unit)
{
	return (v + unit - 1) & ~(unit - 1);
}

#endif
