/* SPDX-License-Identifier: Apache-2.0 */
#include "sha256.h"

#include "bytes.h"

#include <string.h>

#define BLOCK 64u      /* bytes */
#define LENGTH_SIZE 8u /* bytes of the length, in bits, at the end of the last block */

/* The names are those of FIPS 180-4, the numbers of comments its sections. */

/* 4.2.2: fractions of the cube roots of the first 64 primes */
static const uint32_t K[64] = {
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

/* 5.3.3: fractions of the square roots of the first 8 primes */
static const uint32_t initial[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t rotr(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

/* 4.1.2 */
static uint32_t ch(uint32_t x, uint32_t y, uint32_t z)
{
	return (x & y) ^ (~x & z);
}

static uint32_t maj(uint32_t x, uint32_t y, uint32_t z)
{
	return (x & y) ^ (x & z) ^ (y & z);
}

static uint32_t big_sigma0(uint32_t x)
{
	return rotr(x, 2) ^ rotr(x, 13) ^ rotr(x, 22);
}

static uint32_t big_sigma1(uint32_t x)
{
	return rotr(x, 6) ^ rotr(x, 11) ^ rotr(x, 25);
}

static uint32_t small_sigma0(uint32_t x)
{
	return rotr(x, 7) ^ rotr(x, 18) ^ x >> 3;
}

static uint32_t small_sigma1(uint32_t x)
{
	return rotr(x, 17) ^ rotr(x, 19) ^ x >> 10;
}

/* 6.2.2, step 1 */
static void schedule(uint32_t W[64], const uint8_t block[BLOCK])
{
	for (unsigned t = 0; t < 16; t++)
		W[t] = get_be32(block + 4 * t);
	for (unsigned t = 16; t < 64; t++)
		W[t] = small_sigma1(W[t - 2]) + W[t - 7] + small_sigma0(W[t - 15]) + W[t - 16];
}

/* Steps 2 to 4; v is a to h. */
static void take_block(uint32_t H[8], const uint8_t block[BLOCK])
{
	uint32_t W[64], v[8];

	schedule(W, block);
	memcpy(v, H, sizeof(v));
	for (unsigned t = 0; t < 64; t++) {
		uint32_t T1 = v[7] + big_sigma1(v[4]) + ch(v[4], v[5], v[6]) + K[t] + W[t];
		uint32_t T2 = big_sigma0(v[0]) + maj(v[0], v[1], v[2]);

		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += T1;
		v[0] = T1 + T2;
	}
	for (unsigned i = 0; i < 8; i++)
		H[i] += v[i];
}

/* 5.1.1: a one bit, zeros, and the length. */
static size_t pad(uint8_t last[2 * BLOCK], const uint8_t *rest, size_t rest_len, uint64_t len)
{
	size_t size = rest_len + 1 + LENGTH_SIZE <= BLOCK ? BLOCK : 2 * BLOCK;

	memset(last, 0, size);
	if (rest_len > 0)
		memcpy(last, rest, rest_len);
	last[rest_len] = 0x80;
	put_be32(last + size - 8, (uint32_t)(len >> 29));
	put_be32(last + size - 4, (uint32_t)(len << 3));
	return size;
}

void sha256(uint8_t out[SHA256_SIZE], const void *data, size_t len)
{
	const uint8_t *next = data;
	uint8_t last[2 * BLOCK];
	size_t left = len, size;
	uint32_t H[8];

	memcpy(H, initial, sizeof(H));
	for (; left >= BLOCK; next += BLOCK, left -= BLOCK)
		take_block(H, next);
	size = pad(last, next, left, len);
	for (size_t at = 0; at < size; at += BLOCK)
		take_block(H, last + at);
	for (unsigned i = 0; i < 8; i++)
		put_be32(out + 4 * i, H[i]);
}
