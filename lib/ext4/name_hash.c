/* SPDX-License-Identifier: Apache-2.0 */
#include "name_hash.h"

#include "../base/bytes.h"

#define WORDS 8u /* of a name, each round */
/* Half of the largest hash, which readers take for the end of a directory. */
#define HASH_EOF 0x7fffffffu

static uint32_t rotate(uint32_t value, unsigned bits)
{
	return value << bits | value >> (32 - bits);
}

/* The functions of MD4's three rounds. */
static uint32_t choose(uint32_t x, uint32_t y, uint32_t z)
{
	return z ^ (x & (y ^ z));
}

static uint32_t majority(uint32_t x, uint32_t y, uint32_t z)
{
	return (x & y) + ((x ^ y) & z);
}

static uint32_t parity(uint32_t x, uint32_t y, uint32_t z)
{
	return x ^ y ^ z;
}

static void mix(uint32_t state[4], const uint32_t words[WORDS])
{
	static const struct {
		uint32_t (*function)(uint32_t x, uint32_t y, uint32_t z);
		uint32_t constant;
		uint8_t order[WORDS];
		uint8_t bits[4];
	} rounds[3] = {
		{ choose, 0, { 0, 1, 2, 3, 4, 5, 6, 7 }, { 3, 7, 11, 19 } },
		{ majority, 0x5a827999, { 1, 3, 5, 7, 0, 2, 4, 6 }, { 3, 5, 9, 13 } },
		{ parity, 0x6ed9eba1, { 3, 7, 2, 6, 1, 5, 0, 4 }, { 3, 9, 11, 15 } },
	};
	uint32_t v[4] = { state[0], state[1], state[2], state[3] };

	for (int round = 0; round < 3; round++) {
		for (unsigned i = 0; i < WORDS; i++) {
			/* a, then d, c and b take their turns */
			unsigned a = (4 - i % 4) % 4;
			uint32_t sum = rounds[round].function(v[(a + 1) % 4], v[(a + 2) % 4],
							      v[(a + 3) % 4]);

			sum += v[a] + words[rounds[round].order[i]] + rounds[round].constant;
			v[a] = rotate(sum, rounds[round].bits[i % 4]);
		}
	}
	for (int i = 0; i < 4; i++)
		state[i] += v[i];
}

/* Up to 32 bytes as words, filled up with what is left of the length. */
static void fill_words(uint32_t words[WORDS], const char *name, size_t len)
{
	uint32_t pad = (uint32_t)len | (uint32_t)len << 8, word;
	size_t used = len < 4 * WORDS ? len : 4 * WORDS, next = 0;

	pad |= pad << 16;
	word = pad;
	for (size_t i = 0; i < used; i++) {
		word = (uint32_t)(signed char)name[i] + (word << 8);
		if (i % 4 == 3) {
			words[next++] = word;
			word = pad;
		}
	}
	if (next < WORDS)
		words[next++] = word;
	while (next < WORDS)
		words[next++] = pad;
}

struct ext4_name_hash ext4_hash_name(const char *name, size_t len, const uint8_t seed[16])
{
	uint32_t state[4], words[WORDS], major;

	for (int i = 0; i < 4; i++)
		state[i] = get_le32(seed + 4 * i);
	for (size_t at = 0; at < len; at += 4 * WORDS) {
		fill_words(words, name + at, len - at);
		mix(state, words);
	}
	major = state[1] & ~1u;
	if (major == HASH_EOF << 1)
		major = (HASH_EOF - 1) << 1;
	return (struct ext4_name_hash){ .major = major, .minor = state[2] };
}
