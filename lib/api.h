/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the public functions share. Each one checks its arguments, delegates, and returns through
 * done():
 *
 *	error = OR_LOCAL(error);
 *	*image = NULL;
 *	if (!store)
 *		return missing(error, "the store's folder");
 *	return done(image_open(image, store, error), error);
 */
#ifndef MKROOTFS_API_H
#define MKROOTFS_API_H

#include <mkrootfs.h>

#include "base/error.h"

#include <stdbool.h>

/* Where a caller passes no error, this one takes its place. */
#define OR_LOCAL(error_) ((error_) ? (error_) : &(struct mkrootfs_error){ 0 })

/* After a success nothing is left of what was tried on the way. */
static inline int done(int status, struct mkrootfs_error *error)
{
	if (status == 0)
		*error = (struct mkrootfs_error){ 0 };
	return status;
}

static inline int missing(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_INVALID, "%s is missing", what);
}

static inline bool has_null(const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!list[i])
			return true;
	return false;
}

/* What all calls that talk to a registry need; 0 or the error that it set. */
int api_check_registry(const struct mkrootfs_registry_options *options,
		       struct mkrootfs_error *error);

#endif
