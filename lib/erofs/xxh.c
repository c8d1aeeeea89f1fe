/* SPDX-License-Identifier: Apache-2.0 */
#include "xxh.h"

#include "../base/cpu.h"
#include "xxh3_engine.h"

#include <stdlib.h>

struct xxh3 {
	const struct xxh3_engine *engine;
	XXH3_state_t *state;
};

static const struct xxh3_engine *best_engine(void)
{
#ifdef MKROOTFS_XXH_AVX2
	if (cpu_has_avx2())
		return xxh3_avx2();
#endif
	return &xxh3_here;
}

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
	struct xxh3 *hash = malloc(sizeof(*hash));

	*out = NULL;
	if (!hash)
		return error_no_memory(error);
	hash->engine = best_engine();
	hash->state = hash->engine->create();
	if (!hash->state) {
		free(hash);
		return error_no_memory(error);
	}
	*out = hash;
	return 0;
}

void xxh3_reset(struct xxh3 *hash)
{
	hash->engine->reset(hash->state);
}

void xxh3_update(struct xxh3 *hash, const void *data, size_t len)
{
	hash->engine->update(hash->state, data, len);
}

uint64_t xxh3_digest(const struct xxh3 *hash)
{
	return hash->engine->digest(hash->state);
}

void xxh3_free(struct xxh3 *hash)
{
	if (!hash)
		return;
	hash->engine->free(hash->state);
	free(hash);
}
