/* SPDX-License-Identifier: Apache-2.0 */
/* xxHash: XXH32 is part of the EROFS format (name filters), XXH3 finds identical file contents. */
#ifndef MKROOTFS_EROFS_XXH_H
#define MKROOTFS_EROFS_XXH_H

#include "../base/error.h"

uint32_t xxh32(const void *data, size_t len, uint32_t seed);
uint64_t xxh3_64(const void *data, size_t len, uint64_t seed);

struct xxh3;
int xxh3_create(struct xxh3 **out, struct mkrootfs_error *error);
void xxh3_reset(struct xxh3 *hash);
void xxh3_update(struct xxh3 *hash, const void *data, size_t len);
uint64_t xxh3_digest(const struct xxh3 *hash);
/* NULL is allowed. */
void xxh3_free(struct xxh3 *hash);

#endif
