/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XXH3 as the compiler's flags let xxHash make it: of one source several engines for one
 * processor, of which xxh.c takes the best; all give the same hashes. Only the files that define
 * one include this, which gives them xxh3_here.
 */
#ifndef MKROOTFS_EROFS_XXH3_ENGINE_H
#define MKROOTFS_EROFS_XXH3_ENGINE_H

#define XXH_INLINE_ALL /* the header is all there is to xxHash: one library less to load */
#include <xxhash.h>

/* Each function as xxh.h has it; a state is its engine's alone. */
struct xxh3_engine {
	XXH3_state_t *(*create)(void);
	void (*reset)(XXH3_state_t *state);
	void (*update)(XXH3_state_t *state, const void *data, size_t len);
	uint64_t (*digest)(const XXH3_state_t *state);
	void (*free)(XXH3_state_t *state);
};

static XXH3_state_t *engine_create(void)
{
	return XXH3_createState(); /* of an alignment of its own */
}

static void engine_reset(XXH3_state_t *state)
{
	XXH3_64bits_reset(state);
}

static void engine_update(XXH3_state_t *state, const void *data, size_t len)
{
	XXH3_64bits_update(state, data, len);
}

static uint64_t engine_digest(const XXH3_state_t *state)
{
	return XXH3_64bits_digest(state);
}

static void engine_free(XXH3_state_t *state)
{
	XXH3_freeState(state);
}

/* That of the file that includes this. */
static const struct xxh3_engine xxh3_here __attribute__((unused)) = {
	engine_create, engine_reset, engine_update, engine_digest, engine_free,
};

const struct xxh3_engine *xxh3_avx2(void); /* only where the build has one */

#endif
