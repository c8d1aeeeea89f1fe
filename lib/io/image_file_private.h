/* SPDX-License-Identifier: Apache-2.0 */
/* What only the tests of image_file need. */
#ifndef MKROOTFS_IO_IMAGE_FILE_PRIVATE_H
#define MKROOTFS_IO_IMAGE_FILE_PRIVATE_H

#include "image_file.h"

/* As image_file_create does where the filesystem has no unnamed files. */
int image_file_create_named(struct image_file **out, const char *folder,
			    struct mkrootfs_error *error);

#endif
