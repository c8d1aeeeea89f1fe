/* SPDX-License-Identifier: Apache-2.0 */
/* FIPS 180-4, sections 4.1.2, 5.1.1 and 6.2; its names of the working variables are v[0] to v[7].
 */
#include "sha256.h"

#include "bytes.h"

#include <string.h>

#define BLOCK_SIZE 64u /* bytes */
#define LENGTH_SIZE 8u /* bytes, at the end of the last block: bits of the message */
#define ROUNDS 64

/* The first 32 bits of the fractions of the cube roots of the first 64 primes: section 4.2.2. */
static const uint32_t constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static inline uint32_t rotate(uint32_t x, unsigned bits)
{
	return x >> bits | x << (32 - bits);
}

static void make_schedule(uint32_t w[ROUNDS], const uint8_t *block)
{
	for (unsigned t = 0; t < 16; t++)
		w[t] = get_be32(block + 4 * t);
	for (unsigned t = 16; t < ROUNDS; t++) {
		uint32_t a = w[t - 15], b = w[t - 2];

		w[t] = (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10) + w[t - 7] +
		       (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 16];
	}
}

/* Instead of moving the variables on, each round has them one place further. */
static inline void round_at(uint32_t v[8], unsigned t, uint32_t constant_and_word)
{
	uint32_t a = v[-t & 7], b = v[(1 - t) & 7], c = v[(2 - t) & 7];
	uint32_t e = v[(4 - t) & 7], f = v[(5 - t) & 7], g = v[(6 - t) & 7];
	uint32_t t1 = v[(7 - t) & 7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
		      ((e & f) ^ (~e & g)) + constant_and_word;

	v[(3 - t) & 7] += t1;
	v[(7 - t) & 7] =
		t1 + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void add_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t w[ROUNDS], v[8];

	make_schedule(w, block);
	memcpy(v, state, sizeof(v));
	for (unsigned t = 0; t < ROUNDS; t += 8) {
		/* One by one, so that the compiler sees constant places and keeps them in
		 * registers. */
		round_at(v, 0, constants[t] + w[t]);
		round_at(v, 1, constants[t + 1] + w[t + 1]);
		round_at(v, 2, constants[t + 2] + w[t + 2]);
		round_at(v, 3, constants[t + 3] + w[t + 3]);
		round_at(v, 4, constants[t + 4] + w[t + 4]);
		round_at(v, 5, constants[t + 5] + w[t + 5]);
		round_at(v, 6, constants[t + 6] + w[t + 6]);
		round_at(v, 7, constants[t + 7] + w[t + 7]);
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += v[i];
}

/* What is left of the message, a set bit, zeros, and the length: one block, or two. */
static void add_last(uint32_t state[8], const uint8_t *rest, size_t rest_len, uint64_t message_len)
{
	uint8_t last[2 * BLOCK_SIZE] = { 0 };
	size_t size = rest_len < BLOCK_SIZE - LENGTH_SIZE ? BLOCK_SIZE : 2 * BLOCK_SIZE;

	if (rest_len)
		memcpy(last, rest, rest_len);
	last[rest_len] = 0x80;
	put_be32(last + size - 8, (uint32_t)(message_len >> 29));
	put_be32(last + size - 4, (uint32_t)(message_len << 3));
	for (size_t at = 0; at < size; at += BLOCK_SIZE)
		add_block(state, last + at);
}

void sha256(uint8_t out[SHA256_SIZE], const void *data, size_t len)
{
	/* Of the square roots of the first 8 primes: section 5.3.3. */
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const uint8_t *bytes = data;
	size_t whole = len / BLOCK_SIZE * BLOCK_SIZE;

	for (size_t at = 0; at < whole; at += BLOCK_SIZE)
		add_block(state, bytes + at);
	add_last(state, whole < len ? bytes + whole : NULL, len - whole, len);
	for (unsigned i = 0; i < 8; i++)
		put_be32(out + 4 * i, state[i]);
}
