/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a tar archive, one entry after the other, to a sink.
 *
 *	tar_writer_create(&w, sink, error);
 *	tar_writer_entry(w, &entry, NULL, 0, error);
 *	tar_writer_data(w, data, len, error);		entry.size bytes of a file, in pieces
 *	tar_writer_finish(w, error);			after the last entry
 *	tar_writer_close(w);
 *
 * The form is POSIX: a ustar header where all fits, else a pax extended header in front of it, with
 * nothing in it but what does not fit. The same entries give the same bytes. Where readers differ:
 *  - Names are bytes. A name of a pax record that is no UTF-8 is announced by hdrcharset=BINARY,
 *    which POSIX asks for; GNU tar tells that it does not know the word, and is right all the same.
 *  - Extended attributes are SCHILY.xattr.NAME records, which GNU tar, star, libarchive and Go
 *    read. A name with '=' in it is spelt with %3D, as GNU tar does, whom this reader follows.
 *  - Sparse files are in GNU's form 1.0. Only whole blocks may lie between holes.
 *  - The archive ends with two zero blocks, and is not filled up to a record of 10 KiB.
 */
#ifndef MKROOTFS_TAR_WRITER_H
#define MKROOTFS_TAR_WRITER_H

#include "../io/sink.h"
#include "entry.h"
#include "sparse.h"

struct tar_writer;

/* The sink is borrowed and must outlive the writer. */
int tar_writer_create(struct tar_writer **out, struct sink *sink, struct mkrootfs_error *error);
/*
 * Begins an entry; its names and those of its xattrs need no NUL. That of a directory gets a slash
 * behind its name, an empty path is the root,
 * "./". With entry->sparse the content are the ranges, one after the other without gaps: they rise,
 * do not overlap, are not empty, lie within entry->size, and start and end at multiples of
 * TAR_BLOCK_SIZE, but for the end of the file. Fails with INVALID where the entry before has not
 * got all its content, and on what no archive can hold.
 */
int tar_writer_entry(struct tar_writer *writer, const struct tar_entry *entry,
		     const struct tar_range *ranges, size_t range_count,
		     struct mkrootfs_error *error);
/* The next bytes of the entry's content. */
int tar_writer_data(struct tar_writer *writer, const void *data, size_t len,
		    struct mkrootfs_error *error);
/* Ends the archive. Only then has the sink got all of it. */
int tar_writer_finish(struct tar_writer *writer, struct mkrootfs_error *error);
/* NULL is allowed. */
void tar_writer_close(struct tar_writer *writer);

#endif
