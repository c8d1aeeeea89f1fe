/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libarchive makes of a tar, in the same text as tar_listing.h. The library is looked up at
 * run time, so that the tests build without it.
 *
 *	struct peer peer;
 *	if (peer_open(&peer) < 0)
 *		skip();
 *	peer_listing(&text, &peer, data, len);
 *	peer_close(&peer);
 */
#ifndef MKROOTFS_TEST_TAR_PEER_H
#define MKROOTFS_TEST_TAR_PEER_H

#include "tar_listing.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum { PEER_EOF = 1, PEER_OK = 0, PEER_WARN = -20 }; /* ARCHIVE_* of archive.h */

/* The functions of archive.h and archive_entry.h that are used, by their names without prefix. */
struct peer {
	void *library;
	int (*version_number)(void);
	void *(*read_new)(void);
	int (*read_support_format_tar)(void *);
	int (*read_support_format_empty)(void *);
	int (*read_open_memory)(void *, const void *, size_t);
	int (*read_next_header)(void *, void **);
	int (*read_data_block)(void *, const void **, size_t *, int64_t *);
	int (*read_free)(void *);
	const char *(*error_string)(void *);
	const char *(*entry_pathname)(void *);
	const char *(*entry_hardlink)(void *);
	const char *(*entry_symlink)(void *);
	mode_t (*entry_filetype)(void *);
	mode_t (*entry_perm)(void *);
	int64_t (*entry_uid)(void *);
	int64_t (*entry_gid)(void *);
	time_t (*entry_mtime)(void *);
	long (*entry_mtime_nsec)(void *);
	int64_t (*entry_size)(void *);
	dev_t (*entry_rdev)(void *);
	int (*entry_xattr_reset)(void *);
	int (*entry_xattr_next)(void *, const char **, const void **, size_t *);
};

static inline int peer_symbol(void *out, const struct peer *peer, const char *name)
{
	char full[64];
	void *symbol;

	snprintf(full, sizeof(full), "archive_%s", name);
	symbol = dlsym(peer->library, full);
	memcpy(out, &symbol, sizeof(symbol));
	return symbol ? 0 : -1;
}

static inline int peer_symbols(struct peer *p)
{
	return peer_symbol(&p->version_number, p, "version_number") |
	       peer_symbol(&p->read_new, p, "read_new") |
	       peer_symbol(&p->read_support_format_tar, p, "read_support_format_tar") |
	       peer_symbol(&p->read_support_format_empty, p, "read_support_format_empty") |
	       peer_symbol(&p->read_open_memory, p, "read_open_memory") |
	       peer_symbol(&p->read_next_header, p, "read_next_header") |
	       peer_symbol(&p->read_data_block, p, "read_data_block") |
	       peer_symbol(&p->read_free, p, "read_free") |
	       peer_symbol(&p->error_string, p, "error_string") |
	       peer_symbol(&p->entry_pathname, p, "entry_pathname") |
	       peer_symbol(&p->entry_hardlink, p, "entry_hardlink") |
	       peer_symbol(&p->entry_symlink, p, "entry_symlink") |
	       peer_symbol(&p->entry_filetype, p, "entry_filetype") |
	       peer_symbol(&p->entry_perm, p, "entry_perm") |
	       peer_symbol(&p->entry_uid, p, "entry_uid") |
	       peer_symbol(&p->entry_gid, p, "entry_gid") |
	       peer_symbol(&p->entry_mtime, p, "entry_mtime") |
	       peer_symbol(&p->entry_mtime_nsec, p, "entry_mtime_nsec") |
	       peer_symbol(&p->entry_size, p, "entry_size") |
	       peer_symbol(&p->entry_rdev, p, "entry_rdev") |
	       peer_symbol(&p->entry_xattr_reset, p, "entry_xattr_reset") |
	       peer_symbol(&p->entry_xattr_next, p, "entry_xattr_next");
}

static inline void peer_close(struct peer *peer)
{
	if (peer->library)
		dlclose(peer->library);
	peer->library = NULL;
}

/* -1, said aloud, when libarchive is not there. */
static inline int peer_open(struct peer *peer)
{
	peer->library = dlopen("libarchive.so.13", RTLD_NOW);
	if (peer->library && peer_symbols(peer) == 0)
		return 0;
	fprintf(stderr, "SKIPPED: these tests need libarchive.so.13\n");
	peer_close(peer);
	return -1;
}

/* ---- Listing ---- */

static inline const char *peer_type(mode_t type, int is_hardlink)
{
	if (is_hardlink)
		return "hardlink";
	return S_ISDIR(type)	? "directory"
	       : S_ISLNK(type)	? "symlink"
	       : S_ISCHR(type)	? "character"
	       : S_ISBLK(type)	? "block"
	       : S_ISFIFO(type) ? "fifo"
				: "file";
}

static inline void peer_numbers(struct buf *out, const struct peer *p, void *entry, int is_file)
{
	struct mkrootfs_error e;
	dev_t device = p->entry_rdev(entry);
	mode_t type = p->entry_filetype(entry);

	if (S_ISCHR(type) || S_ISBLK(type))
		buf_printf(out, &e, " %u:%u", major(device), minor(device));
	buf_printf(out, &e, " mode=%04o", p->entry_perm(entry));
	if (p->entry_uid(entry))
		buf_printf(out, &e, " uid=%" PRId64, p->entry_uid(entry));
	if (p->entry_gid(entry))
		buf_printf(out, &e, " gid=%" PRId64, p->entry_gid(entry));
	if (p->entry_mtime(entry) || p->entry_mtime_nsec(entry))
		buf_printf(out, &e, " mtime=%" PRId64, (int64_t)p->entry_mtime(entry));
	if (p->entry_mtime_nsec(entry))
		buf_printf(out, &e, "+%ld", p->entry_mtime_nsec(entry));
	if (is_file)
		buf_printf(out, &e, " size=%" PRId64, p->entry_size(entry));
}

static inline void peer_names(struct buf *out, const struct peer *p, void *entry)
{
	struct mkrootfs_error e;
	const char *hardlink = p->entry_hardlink(entry);
	const char *target = hardlink ? hardlink : p->entry_symlink(entry);
	const char *path = p->entry_pathname(entry);

	buf_printf(out, &e, "%s ", peer_type(p->entry_filetype(entry), hardlink != NULL));
	listing_bytes(out, path ? path : "", path ? strlen(path) : 0, 0);
	if (target) {
		buf_append_string(out, " -> ", &e);
		listing_bytes(out, target, strlen(target), 0);
	}
}

static inline int peer_content(struct buf *out, const struct peer *p, void *archive)
{
	struct buf range = BUF_INIT(1 << 30);
	struct mkrootfs_error e;
	const void *data;
	int64_t offset, start = 0;
	size_t len;
	int status;

	while ((status = p->read_data_block(archive, &data, &len, &offset)) == PEER_OK) {
		if (range.len > 0 && len > 0 && start + (int64_t)range.len != offset) {
			listing_range(out, (uint64_t)start, &range);
			buf_clear(&range);
		}
		if (range.len == 0)
			start = offset;
		buf_append(&range, data, len, &e);
	}
	if (range.len > 0)
		listing_range(out, (uint64_t)start, &range);
	buf_free(&range);
	return status == PEER_EOF ? PEER_OK : status;
}

struct peer_xattr {
	const char *name;
	const void *value;
	size_t len;
};

static inline int peer_compare(const void *a, const void *b)
{
	return strcmp(((const struct peer_xattr *)a)->name, ((const struct peer_xattr *)b)->name);
}

static inline void peer_xattrs(struct buf *out, const struct peer *p, void *entry)
{
	struct peer_xattr found[64];
	struct mkrootfs_error e;
	size_t count = 0;

	p->entry_xattr_reset(entry);
	while (count < 64 && p->entry_xattr_next(entry, &found[count].name, &found[count].value,
						 &found[count].len) == PEER_OK)
		count++;
	qsort(found, count, sizeof(found[0]), peer_compare);
	for (size_t i = 0; i < count; i++) {
		buf_append_string(out, " xattr.", &e);
		listing_bytes(out, found[i].name, strlen(found[i].name), 0);
		buf_append_string(out, "=\"", &e);
		listing_bytes(out, found[i].value, found[i].len, 0);
		buf_append_string(out, "\"", &e);
	}
}

static inline void peer_failure(struct buf *out, const struct peer *p, void *archive)
{
	struct mkrootfs_error e;
	const char *text = p->error_string(archive);

	buf_printf(out, &e, "error: %s\n", text ? text : "");
}

static inline int peer_entry(struct buf *out, const struct peer *p, void *archive)
{
	struct mkrootfs_error e;
	void *entry;
	int status = p->read_next_header(archive, &entry);

	if (status != PEER_OK && status != PEER_WARN)
		return status;
	if (status == PEER_WARN)
		buf_printf(out, &e, "warning: %s\n", p->error_string(archive));
	peer_names(out, p, entry);
	peer_numbers(out, p, entry, S_ISREG(p->entry_filetype(entry)) && !p->entry_hardlink(entry));
	status = peer_content(out, p, archive);
	peer_xattrs(out, p, entry);
	buf_append_string(out, "\n", &e);
	return status;
}

static inline void peer_listing(struct buf *out, const struct peer *p, const void *data, size_t len)
{
	struct mkrootfs_error e;
	void *archive = p->read_new();
	int status;

	buf_append(out, "", 0, &e);
	p->read_support_format_tar(archive);
	p->read_support_format_empty(archive);
	status = p->read_open_memory(archive, data, len);
	while (status == PEER_OK)
		status = peer_entry(out, p, archive);
	if (status != PEER_EOF)
		peer_failure(out, p, archive);
	p->read_free(archive);
}

#endif
