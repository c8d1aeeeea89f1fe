/* SPDX-License-Identifier: Apache-2.0 */
/* A file that a caller asked for by path: made in its own folder, there complete or not at all. */
#ifndef MKROOTFS_ROOTFS_OUTPUT_H
#define MKROOTFS_ROOTFS_OUTPUT_H

#include "../io/image_file.h"

/* The folder part of a path, "." without one; *out is the caller's to free. */
int output_folder(char **out, const char *path, struct mkrootfs_error *error);

/* Fails where path is one of the files it is to be made of: replaced, that one would be lost. */
int output_refuse_input(const char *path, const char *input, struct mkrootfs_error *error);

/* Refuses what is no regular file, and without replace whatever is there. */
int output_check(const char *path, int replace, struct mkrootfs_error *error);

typedef int (*output_fill_fn)(void *user, struct image_file *file, struct mkrootfs_error *error);
/* Without replace an existing file is an error, found before any work. */
int output_write(const char *path, int replace, output_fill_fn fill, void *user,
		 struct mkrootfs_error *error);

#endif
