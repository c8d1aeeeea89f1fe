/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tar archive as a set of files that are read in place: its headers are read once, what stands
 * between them only when it is asked for.
 *
 *	file_set_tar(&set, fd, &options, error);	takes fd
 *	file_set_open(set, &source, NULL, "blobs/sha256/...", 0, error);
 *	file_set_close(set);
 *
 * Names are looked up in this table and nowhere else. Hard links and symbolic links to files of
 * the archive are followed, as those by which `docker save` of old stored a layer once. An archive
 * with a name that climbs above its root is refused; a file whose name stands in it twice, one with
 * holes, and a link that leads nowhere or in a circle are refused when they are opened.
 */
#ifndef MKROOTFS_TAR_FILE_INDEX_H
#define MKROOTFS_TAR_FILE_INDEX_H

#include "../io/file_set.h"

#define TAR_INDEX_MAX_FILES (1u << 18)	/* members of the archive */
#define TAR_INDEX_MAX_NAMES (64u << 20) /* bytes of all names and link targets */
#define TAR_INDEX_MAX_LINKS 40		/* that lead to one file, as the kernel has it */

/* fd is open for reading a whole regular file, and taken on success. */
int file_set_tar(struct file_set **out, int fd, struct mkrootfs_error *error);

#endif
