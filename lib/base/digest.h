/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content digests as the OCI image-spec writes them: "sha256:<64 hex>" or "sha512:<128 hex>".
 *
 *	struct hasher *h;
 *	hasher_create(&h, DIGEST_SHA256, error);
 *	hasher_update(h, data, len);
 *	hasher_finish(h, &digest);
 *	hasher_free(h);
 */
#ifndef MKROOTFS_BASE_DIGEST_H
#define MKROOTFS_BASE_DIGEST_H

#include "error.h"

#include <stdbool.h>

enum digest_algorithm { DIGEST_SHA256 = 1, DIGEST_SHA512 };

#define DIGEST_MAX_BYTES 64
#define DIGEST_TEXT_SIZE MKROOTFS_DIGEST_SIZE /* "sha512:" + 128 + NUL */

struct digest {
	enum digest_algorithm algorithm;
	uint8_t bytes[DIGEST_MAX_BYTES]; /* unused ones are zero */
};

/* Bytes of the algorithm's output: 32 or 64. */
size_t digest_size(enum digest_algorithm algorithm);

/*
 * Strict: known algorithm, exact length, lower-case hex, nothing behind it, so that a digest that
 * was parsed is safe in a path or URL. MKROOTFS_ERROR_UNSUPPORTED names an unknown algorithm.
 */
int digest_parse(struct digest *out, const char *text, struct mkrootfs_error *error);
/* "sha256:<hex>" into text. */
void digest_format(char text[DIGEST_TEXT_SIZE], const struct digest *digest);
/* Only the hex digits, as file names in a store use them. */
void digest_format_hex(char text[DIGEST_TEXT_SIZE], const struct digest *digest);
bool digest_equal(const struct digest *a, const struct digest *b);
/* The digest of bytes in memory; the SHA-256 of few needs no libcrypto. */
int digest_of(struct digest *out, enum digest_algorithm algorithm, const void *data, size_t len,
	      struct mkrootfs_error *error);

struct hasher;
/* UNSUPPORTED: libcrypto cannot be loaded. */
int hasher_create(struct hasher **out, enum digest_algorithm algorithm,
		  struct mkrootfs_error *error);
void hasher_update(struct hasher *hasher, const void *data, size_t len);
/* Takes the digest of all that came so far; no update may follow. */
void hasher_finish(struct hasher *hasher, struct digest *out);
void hasher_free(struct hasher *hasher);

#endif
