/* SPDX-License-Identifier: Apache-2.0 */
/* The caps of struct mkrootfs_limits with their defaults. */
#ifndef MKROOTFS_ROOTFS_LIMITS_H
#define MKROOTFS_ROOTFS_LIMITS_H

#include <mkrootfs.h>

/* limits with each zero replaced by the default that mkrootfs.h documents. */
struct mkrootfs_limits limits_or_defaults(const struct mkrootfs_limits *limits);

#endif
