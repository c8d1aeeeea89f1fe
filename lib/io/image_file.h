/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file under construction: random access, and it appears under its name complete or not at all.
 *
 *	image_file_create(&f, folder, error);
 *	image_file_write(f, offset, data, len, error);
 *	image_file_commit(f, path, IMAGE_FILE_REPLACE, error);
 *	image_file_close(f);		without a commit it discards
 *
 * The temporary file has no name where the filesystem can (O_TMPFILE), so that a crash leaves
 * nothing; elsewhere, and for the moment of replacing a file, it is ".mkrootfs-PID-N.tmp", locked
 * by flock while its writer lives. Who needs such a name removes those that dead writers left.
 *
 * Small adjacent writes are collected. A failed write may therefore be reported by a later call;
 * from then on every call reports it, commit above all.
 */
#ifndef MKROOTFS_IO_IMAGE_FILE_H
#define MKROOTFS_IO_IMAGE_FILE_H

#include "../base/error.h"

struct image_file;

enum image_file_flags {
	IMAGE_FILE_REPLACE = 1, /* an existing file of that name is replaced, atomically */
	IMAGE_FILE_NO_SYNC = 2, /* the caller syncs the whole folder's content itself */
};

/* A new empty file in folder, which must be on the filesystem of the final name. */
int image_file_create(struct image_file **out, const char *folder, struct mkrootfs_error *error);
/*
 * A caller's descriptor of a regular file, a memfd or a block device, open for reading and writing.
 * It stays the caller's. A file is cut to nothing first; on a device what was never written is
 * zeroed as the writing passes it, at the latest by resize. commit only syncs, its path is not
 * used.
 */
int image_file_borrow(struct image_file **out, int fd, struct mkrootfs_error *error);

/*
 * A large file is synced by a thread of its own while it is still written, so that the commit has
 * less to wait for.
 */
void image_file_sync_early(struct image_file *file);

/* Writes all of data at offset, through short writes and interrupts. */
int image_file_write(struct image_file *file, uint64_t offset, const void *data, size_t len,
		     struct mkrootfs_error *error);
/*
 * Copies len bytes of another file to offset, where nothing was written yet: holes stay holes, and
 * whole blocks are shared where the filesystem can.
 */
int image_file_copy(struct image_file *file, uint64_t offset, int from, uint64_t from_offset,
		    uint64_t len, struct mkrootfs_error *error);
/* Reads exactly len bytes that were written before. */
int image_file_read(struct image_file *file, uint64_t offset, void *data, size_t len,
		    struct mkrootfs_error *error);
/* Sets the size in bytes; what was never written reads as zeros and takes no disk. */
int image_file_resize(struct image_file *file, uint64_t size, struct mkrootfs_error *error);
/*
 * Sync, give the final name, sync the folder. Without IMAGE_FILE_REPLACE an existing file stays:
 * os_errno is then EEXIST, and a commit under another name may follow. After a success only close
 * may follow. Where nothing but the folder's sync fails, the complete file is there all the same.
 */
int image_file_commit(struct image_file *file, const char *path, unsigned flags,
		      struct mkrootfs_error *error);
/* NULL is allowed. */
void image_file_close(struct image_file *file);

#endif
