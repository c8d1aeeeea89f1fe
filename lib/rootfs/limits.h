/* SPDX-License-Identifier: Apache-2.0 */
/* The caps of struct mkrootfs_limits with their defaults. */
#ifndef MKROOTFS_ROOTFS_LIMITS_H
#define MKROOTFS_ROOTFS_LIMITS_H

#include "../io/source.h"
#include "events.h"

/*
 * Unpacked bytes before the ratio counts. What is one file of a few GiB of zeros is honest, and
 * zstd packs it 20,000 to 1.
 */
#define LIMITS_RATIO_FREE (UINT64_C(4) << 30)

/* limits with each zero replaced by the default that mkrootfs.h documents. */
struct mkrootfs_limits limits_or_defaults(const struct mkrootfs_limits *limits);
/* How something outside a layer's conversion is unpacked; events can cancel it. */
struct source_unpacking limits_unpacking(const struct mkrootfs_limits *limits, const char *what,
					 struct events *events);

#endif
