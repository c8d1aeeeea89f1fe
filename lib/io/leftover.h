/* SPDX-License-Identifier: Apache-2.0 */
/* What follows the end of compressed data: zeros are padding, anything else is worth a warning. */
#ifndef MKROOTFS_IO_LEFTOVER_H
#define MKROOTFS_IO_LEFTOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct leftover {
	uint64_t len;
	bool junk; /* not all of it is zero */
};

static inline void leftover_add(struct leftover *leftover, const uint8_t *data, size_t len)
{
	if (len == 0)
		return;
	leftover->len += len;
	if (data[0] != 0 || memcmp(data, data + 1, len - 1) != 0)
		leftover->junk = true;
}

static inline uint64_t leftover_dropped(const struct leftover *leftover)
{
	return leftover->junk ? leftover->len : 0;
}

#endif
