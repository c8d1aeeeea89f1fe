/* SPDX-License-Identifier: Apache-2.0 */
/* A fast hash for tables in memory. Its values never reach an output. */
#ifndef MKROOTFS_BASE_HASH_H
#define MKROOTFS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static inline uint64_t hash_bytes(uint64_t seed, const void *data, size_t len)
{
	uint64_t hash = hash_mix(seed, len);
	const uint8_t *byte = data;
	uint64_t word;

	for (; len >= sizeof(word); len -= sizeof(word), byte += sizeof(word)) {
		memcpy(&word, byte, sizeof(word));
		hash = hash_mix(hash, word);
	}
	word = 0;
	memcpy(&word, byte, len);
	/* Once more, or the last bytes of a name would only move the highest bits. */
	return hash_mix(hash_mix(hash, word), 0);
}

/* A seed that differs between tables and runs, so that nobody can prepare colliding names. */
static inline uint64_t hash_seed(const void *table)
{
	return hash_mix(0x5851f42d4c957f2du, (uint64_t)(uintptr_t)table);
}

#endif
