/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about the places on disk that images come from. */
#ifndef MKROOTFS_OCI_PLACE_H
#define MKROOTFS_OCI_PLACE_H

#include "../io/file_set.h"
#include "reference.h"

/* Puts what the place is, and its path, before the message; returns the status. */
int place_prefix(struct mkrootfs_error *error, const struct reference *reference);
/* Opens the folder of a place; a file in its stead is told, with the transports that read files. */
int place_open_folder(struct file_set **out, const struct reference *reference,
		      struct mkrootfs_error *error);
/*
 * The place has not what its transport needs: replaces a NOT_FOUND by what it is instead, and which
 * transport reads that.
 */
int place_suggest(struct mkrootfs_error *error, struct file_set *files,
		  const struct reference *reference);

#endif
