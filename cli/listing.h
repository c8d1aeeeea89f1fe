/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory of an image, or all below it, printed while it is read.
 *
 *	struct listing listing = { .view = &view, .place = &place, .recursive = true };
 *	listing_run(&listing, "/etc", &error);
 */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include "entry_view.h"

struct listing {
	struct entry_view *view;
	const struct tree_operand *place;
	bool recursive;
	const char *title; /* of the directory, printed before its entries; NULL: none */
};

/* Returns a status of the library; CANCELLED also when the output failed. */
int listing_run(struct listing *listing, const char *path, struct mkrootfs_error *error);

#endif
