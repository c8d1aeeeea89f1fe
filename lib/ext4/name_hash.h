/* SPDX-License-Identifier: Apache-2.0 */
/* The hash by which indexed directories sort their names: half of an MD4, over signed bytes. */
#ifndef MKROOTFS_EXT4_NAME_HASH_H
#define MKROOTFS_EXT4_NAME_HASH_H

#include <stddef.h>
#include <stdint.h>

struct ext4_name_hash {
	uint32_t major; /* what the index holds; its lowest bit is 0 */
	uint32_t minor;
};

/* seed: s_hash_seed, not all zeros. */
struct ext4_name_hash ext4_hash_name(const char *name, size_t len, const uint8_t seed[16]);

#endif
