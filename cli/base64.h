/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 with padding (RFC 4648), for bytes in JSON that are no text. */
#ifndef CLI_BASE64_H
#define CLI_BASE64_H

#include <stddef.h>
#include <stdio.h>

void print_base64(FILE *out, const void *bytes, size_t size);

#endif
