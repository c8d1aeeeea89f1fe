/* SPDX-License-Identifier: Apache-2.0 */
/* A table of where the time of an image's layers went. */
#ifndef CLI_TIMINGS_VIEW_H
#define CLI_TIMINGS_VIEW_H

#include <stdio.h>

#include <mkrootfs.h>

void print_timings(FILE *out, const struct mkrootfs_image *image);

#endif
