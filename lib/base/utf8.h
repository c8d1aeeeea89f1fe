/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, as the Unicode standard defines it: no overlong forms, no surrogates. */
#ifndef MKROOTFS_BASE_UTF8_H
#define MKROOTFS_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length of the well-formed sequence at the start of text[0..left), or 0. */
size_t utf8_length(const uint8_t *text, size_t left);
/* Encodes a code point that is no surrogate and at most U+10FFFF; returns how many bytes. */
size_t utf8_encode(uint8_t out[4], uint32_t code_point);

#endif
