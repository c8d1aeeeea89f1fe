/* SPDX-License-Identifier: Apache-2.0 */
#include "sha256.h"

#include <nettle/sha2.h>
#include <nettle/version.h>

void sha256(uint8_t out[SHA256_SIZE], const void *data, size_t len)
{
	struct sha256_ctx context;

	sha256_init(&context);
	sha256_update(&context, len, data);
#if NETTLE_VERSION_MAJOR >= 4
	sha256_digest(&context, out);
#else
	sha256_digest(&context, SHA256_SIZE, out);
#endif
}
