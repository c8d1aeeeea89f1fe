/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks for content, handed out in rising order: what a layout leaves free between its metadata.
 * Nothing is remembered but how far it came, so what was taken from a place can be taken again from
 * that place, and is the same.
 *
 *	struct ext4_extent run;
 *	uint64_t next = ext4_space_start(&layout);
 *
 *	run = ext4_space_take(&layout, &next, 10);	up to 10 blocks; none: it is full
 */
#ifndef MKROOTFS_EXT4_SPACE_H
#define MKROOTFS_EXT4_SPACE_H

#include "layout.h"

uint64_t ext4_space_start(const struct ext4_layout *layout);
/* The next run, at most count and EXT_INIT_MAX_LEN blocks, with logical 0; count 0: no room. */
struct ext4_extent ext4_space_take(const struct ext4_layout *layout, uint64_t *next,
				   uint64_t count);
/* Blocks of a group that were taken before next. */
uint32_t ext4_space_taken(const struct ext4_layout *layout, uint64_t next, uint32_t group);

#endif
