/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tar archive as a sequence of entries: POSIX ustar and pax, GNU, and the old v7 form.
 *
 *	tar_reader_create(&r, source, &options, error);
 *	while ((status = tar_reader_next(r, &entry, error)) > 0)
 *		while ((status = tar_reader_data(r, &data, error)) == 0 && data.len > 0)
 *			use(data);
 *	tar_reader_close(r);
 *
 * Data that was not read is skipped. Errors name the entry: "tar entry 'usr/x': ...". After the end
 * the source may hold more bytes: who wants digests checked drains it.
 *
 * Where formats and readers leave a choice:
 *  - Records of an 'x' header override those of a 'g' header, GNU's long names and the header; an
 *    empty value gives the word back to the header. A size in a record counts whatever the header
 *    says. Two 'x', 'L' or 'K' headers for one member are refused.
 *  - Links, devices, directories and pipes that have a size: see drop_false_size in reader.c.
 *  - A name that ends in a slash makes a directory of a regular file. Types that nobody knows are
 *    regular files, with a warning; parts of multi-volume archives are refused.
 *  - Ids from 0 to 2^32 - 2, device numbers as Linux has them; others are refused. Times beyond 64
 *    bits become the first or last second that fits.
 *  - The archive ends at two zero blocks, or where the stream ends: at a block boundary, inside
 *    zeros, or inside the padding of the last member. A lone zero block is skipped, with a warning.
 *  - Sparse maps must rise, lie within the file, and fit the stored size.
 *  - An access ACL that was given as text also sets the mode, as the kernel would do.
 * Limits besides the options: names and link targets 64 KiB, an extended header 8 MiB, global
 * defaults 128 KiB, 32,768 extended attributes of one header, 1,048,576 ranges of one sparse file.
 */
#ifndef MKROOTFS_TAR_READER_H
#define MKROOTFS_TAR_READER_H

#include "../io/source.h"
#include "entry.h"

struct tar_reader;

#define TAR_DEFAULT_MAX_ENTRIES (1u << 24)
#define TAR_DEFAULT_MAX_XATTR_BYTES (1u << 20)

struct tar_reader_options {
	uint64_t max_entries;	  /* members, not counting extension headers; 0: the default */
	uint32_t max_xattr_bytes; /* names and values of one entry; 0: the default */
	void (*warn)(void *user, const char *text); /* may be NULL */
	void *user;
};

struct tar_data {
	const uint8_t *data; /* valid until the next call on the reader */
	size_t len;	     /* 0: the file's data has ended */
	uint64_t offset;     /* in the file; what lies between pieces is a hole */
};

/* The source is borrowed and must outlive the reader. options is copied; NULL: all defaults. */
int tar_reader_create(struct tar_reader **out, struct source *source,
		      const struct tar_reader_options *options, struct mkrootfs_error *error);
/* Returns 1 with an entry, 0 at the end of the archive, or a negative status. */
int tar_reader_next(struct tar_reader *reader, const struct tar_entry **entry,
		    struct mkrootfs_error *error);
/* The next piece of the current file, in rising order of offsets. */
int tar_reader_data(struct tar_reader *reader, struct tar_data *data, struct mkrootfs_error *error);
/*
 * Where the content of the current entry stands in the archive, while none of it was read; that of
 * a file without holes is its data.
 */
uint64_t tar_reader_position(const struct tar_reader *reader);
void tar_reader_close(struct tar_reader *reader);

#endif
