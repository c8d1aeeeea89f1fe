/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C (Castagnoli), as the superblocks of EROFS and ext4 use it. */
#ifndef MKROOTFS_BASE_CRC32C_H
#define MKROOTFS_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The raw register: no inversion before or after. Seed ~0 gives what both filesystems store. */
uint32_t crc32c(uint32_t seed, const void *data, size_t len);
/* The same without the processor's own instructions, which crc32c uses where it can. */
uint32_t crc32c_portable(uint32_t seed, const void *data, size_t len);

#endif
