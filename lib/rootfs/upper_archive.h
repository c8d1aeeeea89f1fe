/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a tar that upper's content is taken from: a file or "-", packed or not.
 *
 *	upper_archive_open(&source, path, &limits, &events, error);
 *	... read it as a tar ...
 *	source_meter_done(source)	0: there was nothing, which is no archive
 */
#ifndef MKROOTFS_ROOTFS_UPPER_ARCHIVE_H
#define MKROOTFS_ROOTFS_UPPER_ARCHIVE_H

#include "../io/source.h"
#include "event_relay.h"

int upper_archive_open(struct source **out, const char *path, const struct mkrootfs_limits *limits,
		       struct events *events, struct mkrootfs_error *error);

#endif
