/* SPDX-License-Identifier: Apache-2.0 */
#include "digest.h"

#include "library.h"
#include "sha256.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are hashed here in less time than it takes to load libcrypto. */
#define SMALL_MAX (256u << 10)

static const struct algorithm {
	enum digest_algorithm id;
	const char *prefix;
	size_t size;
} algorithms[] = {
	{ DIGEST_SHA256, "sha256:", 32 },
	{ DIGEST_SHA512, "sha512:", 64 },
};

static const struct algorithm *algorithm_by_id(enum digest_algorithm id)
{
	return &algorithms[id == DIGEST_SHA512];
}

size_t digest_size(enum digest_algorithm id)
{
	return algorithm_by_id(id)->size;
}

static const struct algorithm *algorithm_by_text(const char *text)
{
	for (size_t i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++)
		if (!strncmp(text, algorithms[i].prefix, strlen(algorithms[i].prefix)))
			return &algorithms[i];
	return NULL;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static bool parse_hex(uint8_t *out, size_t size, const char *hex)
{
	for (size_t i = 0; i < size; i++) {
		int high = hex_value(hex[2 * i]);
		int low = high < 0 ? -1 : hex_value(hex[2 * i + 1]);

		if (low < 0)
			return false;
		out[i] = (uint8_t)(high << 4 | low);
	}
	return hex[2 * size] == '\0';
}

int digest_parse(struct digest *out, const char *text, struct mkrootfs_error *error)
{
	const struct algorithm *algorithm = algorithm_by_text(text);

	memset(out, 0, sizeof(*out));
	if (!algorithm)
		return error_set(
			error,
			strchr(text, ':') ? MKROOTFS_ERROR_UNSUPPORTED : MKROOTFS_ERROR_MALFORMED,
			"digest '%.80s': the digest algorithm must be sha256 or sha512", text);
	out->algorithm = algorithm->id;
	if (!parse_hex(out->bytes, algorithm->size, text + strlen(algorithm->prefix)))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "digest '%.160s': must be %s and %zu lower-case hex digits", text,
				 algorithm->prefix, 2 * algorithm->size);
	return 0;
}

void digest_format_hex(char text[DIGEST_TEXT_SIZE], const struct digest *digest)
{
	static const char hex[] = "0123456789abcdef";
	size_t size = digest_size(digest->algorithm);

	for (size_t i = 0; i < size; i++) {
		text[2 * i] = hex[digest->bytes[i] >> 4];
		text[2 * i + 1] = hex[digest->bytes[i] & 15];
	}
	text[2 * size] = '\0';
}

void digest_format(char text[DIGEST_TEXT_SIZE], const struct digest *digest)
{
	const char *prefix = algorithm_by_id(digest->algorithm)->prefix;

	strcpy(text, prefix);
	digest_format_hex(text + strlen(prefix), digest);
}

bool digest_equal(const struct digest *a, const struct digest *b)
{
	return a->algorithm == b->algorithm && !memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

/* ---- libcrypto ---- */

LIBRARY_NOTE(MKROOTFS_CRYPTO, "digests", "Digests of what is pulled, saved and exported",
	     "required");

#define FUNCTIONS(_)         \
	_(EVP_sha256)        \
	_(EVP_sha512)        \
	_(EVP_MD_CTX_new)    \
	_(EVP_MD_CTX_free)   \
	_(EVP_DigestInit_ex) \
	_(EVP_DigestUpdate)  \
	_(EVP_DigestFinal_ex)

#define POINTER(name) __typeof__(name) *name;
#define NAME(name) #name,

struct crypto {
	FUNCTIONS(POINTER)
};

static int load_crypto(struct crypto *crypto, struct mkrootfs_error *error)
{
	static const char *const names[] = { FUNCTIONS(NAME) NULL };
	static const struct library libcrypto = {
		MKROOTFS_CRYPTO,
		names,
		"digests are computed by OpenSSL's libcrypto: install the package that "
		"holds " MKROOTFS_CRYPTO " (libssl3 in Debian, openssl-libs in Fedora)",
	};

	return library_load(crypto, &libcrypto, error);
}

/* ---- Hashers ---- */

struct hasher {
	struct crypto crypto;
	EVP_MD_CTX *context;
	enum digest_algorithm algorithm;
};

static int begin(struct hasher *hasher, struct mkrootfs_error *error)
{
	const struct crypto *crypto = &hasher->crypto;
	const EVP_MD *md =
		hasher->algorithm == DIGEST_SHA512 ? crypto->EVP_sha512() : crypto->EVP_sha256();

	hasher->context = crypto->EVP_MD_CTX_new();
	if (hasher->context && crypto->EVP_DigestInit_ex(hasher->context, md, NULL))
		return 0;
	crypto->EVP_MD_CTX_free(hasher->context);
	return error_no_memory(error);
}

int hasher_create(struct hasher **out, enum digest_algorithm algorithm,
		  struct mkrootfs_error *error)
{
	struct hasher *hasher = calloc(1, sizeof(*hasher));
	int status;

	*out = NULL;
	if (!hasher)
		return error_no_memory(error);
	hasher->algorithm = algorithm;
	status = load_crypto(&hasher->crypto, error);
	if (status == 0)
		status = begin(hasher, error);
	if (status < 0)
		free(hasher);
	else
		*out = hasher;
	return status;
}

void hasher_update(struct hasher *hasher, const void *data, size_t len)
{
	hasher->crypto.EVP_DigestUpdate(hasher->context, data, len);
}

void hasher_finish(struct hasher *hasher, struct digest *out)
{
	memset(out, 0, sizeof(*out));
	out->algorithm = hasher->algorithm;
	hasher->crypto.EVP_DigestFinal_ex(hasher->context, out->bytes, NULL);
}

void hasher_free(struct hasher *hasher)
{
	if (!hasher)
		return;
	hasher->crypto.EVP_MD_CTX_free(hasher->context);
	free(hasher);
}

/* ---- In memory ---- */

static int digest_by_hasher(struct digest *out, enum digest_algorithm algorithm, const void *data,
			    size_t len, struct mkrootfs_error *error)
{
	struct hasher *hasher;
	int status = hasher_create(&hasher, algorithm, error);

	if (status < 0)
		return status;
	hasher_update(hasher, data, len);
	hasher_finish(hasher, out);
	hasher_free(hasher);
	return 0;
}

int digest_of(struct digest *out, enum digest_algorithm algorithm, const void *data, size_t len,
	      struct mkrootfs_error *error)
{
	if (algorithm != DIGEST_SHA256 || len > SMALL_MAX)
		return digest_by_hasher(out, algorithm, data, len, error);
	memset(out, 0, sizeof(*out));
	out->algorithm = DIGEST_SHA256;
	sha256(out->bytes, data, len);
	return 0;
}
