/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file that an archive is read from: a path, or "-" for the standard input.
 *
 *	archive_file_open(&file, reference, error);
 *	archive_file_source(&source, &file, events, error);	its bytes from the start on; or
 *	archive_file_settle(&fd, &file, folder, &limits, events, error);	to read at random
 *	archive_file_close(&file);
 *
 * A path may lead to a pipe, as /dev/stdin often does.
 */
#ifndef MKROOTFS_ROOTFS_ARCHIVE_FILE_H
#define MKROOTFS_ROOTFS_ARCHIVE_FILE_H

#include "../io/source.h"
#include "../oci/reference.h"
#include "events.h"

struct archive_file {
	int fd;	       /* -1: not open, or taken */
	bool regular;  /* and read from its start */
	uint64_t size; /* bytes of a regular one, else 0 */
};

int archive_file_open(struct archive_file *out, const struct reference *reference,
		      struct mkrootfs_error *error);
/* The bytes as they are. Takes the descriptor. */
int archive_file_source(struct source **out, struct archive_file *file, struct events *events,
			struct mkrootfs_error *error);
/* Whether its bytes have to be written to another file before they can be read at random. */
bool archive_file_must_spool(const struct archive_file *file);
/*
 * A descriptor, the caller's to close, of a regular file with the decompressed archive: the file
 * itself where it is one, else an unnamed one in folder. Takes the descriptor.
 */
int archive_file_settle(int *fd, struct archive_file *file, const char *folder,
			const struct mkrootfs_limits *limits, struct events *events,
			struct mkrootfs_error *error);
void archive_file_close(struct archive_file *file);

#endif
