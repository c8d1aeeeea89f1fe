/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256 of a few kilobytes in memory, for digest_of alone: names of records, identities,
 * manifests and configs. To load and set up libcrypto takes as long as this takes for a megabyte.
 * What is longer is libcrypto's, which uses the processor's instructions.
 *
 *	sha256(bytes, data, len);
 */
#ifndef MKROOTFS_BASE_SHA256_H
#define MKROOTFS_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE 32

void sha256(uint8_t out[SHA256_SIZE], const void *data, size_t len);

#endif
