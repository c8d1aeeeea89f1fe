/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors: the lowest layer states the cause, each caller prefixes what it was doing.
 *
 *	if (pwrite(fd, p, n, at) < 0)
 *		return error_set_errno(error, errno, "write '%s'", path);
 *	...
 *	if (layer_write(layer, error) < 0)
 *		return error_prefix(error, "layer %u: ", index);
 *
 * Inside the library error is never NULL: the facade puts its own in the place of a caller's NULL.
 */
#ifndef MKROOTFS_BASE_ERROR_H
#define MKROOTFS_BASE_ERROR_H

#include <mkrootfs.h>

/* Stores status and text; returns status. Control bytes in the text are escaped as \xNN. */
int error_set(struct mkrootfs_error *error, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The same for a failed system call: the text of os_errno is appended after ": ". The status is
 * NO_SPACE for ENOSPC and EDQUOT, NO_MEMORY for ENOMEM, NOT_FOUND for ENOENT, otherwise IO.
 */
int error_set_errno(struct mkrootfs_error *error, int os_errno, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Adds what the user can do: a phrase without a full stop. It goes with the message through
 * prefixes, and is gone with the next error_set. Returns the status that error holds.
 */
int error_advise(struct mkrootfs_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "out of memory"; returns MKROOTFS_ERROR_NO_MEMORY. */
int error_no_memory(struct mkrootfs_error *error);

/* Puts text before the message. Returns the status that error holds. */
int error_prefix(struct mkrootfs_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
