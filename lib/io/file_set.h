/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files by name, wherever they are: in a folder, or inside an archive.
 *
 *	struct file_set *set;
 *	file_set_folder(&set, path, error);
 *	file_set_read(&bytes, set, "index.json", error);
 *	file_set_open(set, &source, &size, name, 0, error);
 *	file_set_close(set);				after all its sources
 *
 * Names are relative and in normal form, see base/path.h. What has no such name, or is no regular
 * file, is never opened. Several threads may open files at once.
 */
#ifndef MKROOTFS_IO_FILE_SET_H
#define MKROOTFS_IO_FILE_SET_H

#include "source.h"

struct file_set;

struct file_set_ops {
	int (*open)(struct file_set *set, struct source **out, uint64_t *size, const char *name,
		    uint64_t offset, struct mkrootfs_error *error);
	void (*close)(struct file_set *set);
};

/* First member of every kind of set. */
struct file_set {
	const struct file_set_ops *ops;
	bool is_archive;
};

/* The regular files of a folder; symbolic links are refused. The path may be one. */
int file_set_folder(struct file_set **out, const char *path, struct mkrootfs_error *error);

/*
 * The bytes of a file from offset on. NOT_FOUND when there is none of that name. size, which may be
 * NULL, takes the bytes of the whole file.
 */
int file_set_open(struct file_set *set, struct source **out, uint64_t *size, const char *name,
		  uint64_t offset, struct mkrootfs_error *error);
/* Appends a file to out, whose cap bounds it. */
int file_set_read(struct buf *out, struct file_set *set, const char *name,
		  struct mkrootfs_error *error);
/* Whether a file of that name can be opened. */
bool file_set_has(struct file_set *set, const char *name);
/* NULL is allowed. */
void file_set_close(struct file_set *set);

#endif
