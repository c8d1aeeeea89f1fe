/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"
#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LONGEST (600u << 10) /* longer than what is hashed without libcrypto */

static struct mkrootfs_error error;

/* Of FIPS 180-4's examples, and of nothing. */
static const struct {
	enum digest_algorithm algorithm;
	const char *data;
	const char *text;
} known[] = {
	{ DIGEST_SHA256, "",
	  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ DIGEST_SHA256, "abc",
	  "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ DIGEST_SHA256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	  "sha256:248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ DIGEST_SHA512, "abc",
	  "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
	  "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f" },
};

static void knows_the_standards_examples(void **state)
{
	char text[DIGEST_TEXT_SIZE];
	struct digest digest;

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_int_equal(digest_of(&digest, known[i].algorithm, known[i].data,
					   strlen(known[i].data), &error),
				 0);
		digest_format(text, &digest);
		assert_string_equal(text, known[i].text);
	}
}

/* What comes from a registry becomes part of paths and URLs. */
static void refuses_all_but_plain_digests(void **state)
{
	static const char hex[] =
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
	static const char *const formats[] = {
		"%s",
		"sha256:%s0",
		"sha256:%.63s",
		"sha256:%s\n",
		"sha256: %s",
		"SHA256:%s",
		"sha256:%.62sGG",
		"sha256:%.62sAA",
		"sha256:../%.61s",
		"sha256:%.60s/../",
		"a/b:%s",
		"../sha256:%s",
		"sha512:%s",
		"sha256:",
		"sha256",
		":%s",
		"",
		"md5:%.32s",
		"sha256+b64:%s",
	};
	struct digest digest;
	char text[256];

	(void)state;
	snprintf(text, sizeof(text), "sha256:%s", hex);
	assert_int_equal(digest_parse(&digest, text, &error), 0);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		snprintf(text, sizeof(text), formats[i], hex);
		if (digest_parse(&digest, text, &error) == 0)
			fail_msg("'%s' was taken", text);
	}
}

static uint8_t *noise(size_t len)
{
	uint8_t *bytes = malloc(len);
	uint32_t x = 1;

	assert_non_null(bytes);
	for (size_t i = 0; i < len; i++) {
		x = x * 1664525u + 1013904223u;
		bytes[i] = (uint8_t)(x >> 24);
	}
	return bytes;
}

/* In two parts, so that the parts do not matter either. */
static void by_hasher(struct digest *out, const uint8_t *data, size_t len)
{
	struct hasher *hasher;

	assert_int_equal(hasher_create(&hasher, DIGEST_SHA256, &error), 0);
	hasher_update(hasher, data, len / 3);
	hasher_update(hasher, data + len / 3, len - len / 3);
	hasher_finish(hasher, out);
	hasher_free(hasher);
}

static void compare(const uint8_t *data, size_t len)
{
	struct digest expected, digest;
	uint8_t bytes[SHA256_SIZE];

	by_hasher(&expected, data, len);
	sha256(bytes, data, len);
	assert_memory_equal(bytes, expected.bytes, SHA256_SIZE);
	assert_int_equal(digest_of(&digest, DIGEST_SHA256, data, len, &error), 0);
	assert_true(digest_equal(&digest, &expected));
}

static void agrees_with_libcrypto(void **state)
{
	static const size_t lengths[] = {
		1000, 4096, 65537, 256u << 10, (256u << 10) + 1, LONGEST
	};
	uint8_t *data = noise(LONGEST);

	(void)state;
	/* All that a last block can be, at any alignment. */
	for (size_t len = 0; len <= 260; len++)
		compare(data + len % 8, len);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		compare(data, lengths[i]);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_the_standards_examples),
		cmocka_unit_test(refuses_all_but_plain_digests),
		cmocka_unit_test(agrees_with_libcrypto),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
