/* SPDX-License-Identifier: Apache-2.0 */
/* Names of ext4's features, as mke2fs and dumpe2fs have them, for messages. */
#ifndef MKROOTFS_EXT4_FEATURE_NAMES_H
#define MKROOTFS_EXT4_FEATURE_NAMES_H

#include <stddef.h>
#include <stdint.h>

enum ext4_feature_set { EXT4_COMPAT, EXT4_INCOMPAT, EXT4_RO_COMPAT };

/* The name of the lowest of these bits, or "unknown feature 0x..." in text. */
const char *ext4_feature_name(char text[32], enum ext4_feature_set set, uint32_t bits);

#endif
