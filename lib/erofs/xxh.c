/* SPDX-License-Identifier: Apache-2.0 */
#include "xxh.h"

#define XXH_INLINE_ALL /* the header is all there is to xxHash: one library less to load */
#include <xxhash.h>

/* struct xxh3 is never defined: it stands for XXH3_state_t, whose memory must be 64-byte aligned.
 */

uint32_t xxh32(const void *data, size_t len, uint32_t seed)
{
	return XXH32(data, len, seed);
}

uint64_t xxh3_64(const void *data, size_t len, uint64_t seed)
{
	return XXH3_64bits_withSeed(data, len, seed);
}

int xxh3_create(struct xxh3 **out, struct mkrootfs_error *error)
{
	*out = (struct xxh3 *)XXH3_createState();
	return *out ? 0 : error_no_memory(error);
}

void xxh3_reset(struct xxh3 *state)
{
	XXH3_64bits_reset((XXH3_state_t *)state);
}

void xxh3_update(struct xxh3 *state, const void *data, size_t len)
{
	XXH3_64bits_update((XXH3_state_t *)state, data, len);
}

uint64_t xxh3_digest(const struct xxh3 *state)
{
	return XXH3_64bits_digest((const XXH3_state_t *)state);
}

void xxh3_free(struct xxh3 *state)
{
	XXH3_freeState((XXH3_state_t *)state);
}
