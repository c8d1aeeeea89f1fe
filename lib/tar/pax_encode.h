/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making the records of pax extended headers: the reverse of pax.h.
 *
 *	tar_pax_put(&body, "path", path, len, error);
 *	tar_pax_put_time(&body, "mtime", sec, nsec, error);
 */
#ifndef MKROOTFS_TAR_PAX_ENCODE_H
#define MKROOTFS_TAR_PAX_ENCODE_H

#include "entry.h"

#include "../base/buf.h"

/* The key holds neither '=' nor NUL; the value is any bytes. */
int tar_pax_put(struct buf *body, const char *key, const void *value, size_t len,
		struct mkrootfs_error *error);
int tar_pax_put_number(struct buf *body, const char *key, uint64_t value,
		       struct mkrootfs_error *error);
/* nsec counts forward; the fraction has no more digits than it needs. */
int tar_pax_put_time(struct buf *body, const char *key, int64_t sec, uint32_t nsec,
		     struct mkrootfs_error *error);
/* SCHILY.xattr.NAME with the value as it is; the name as GNU tar writes it. */
int tar_pax_put_xattr(struct buf *body, const struct tar_xattr *xattr,
		      struct mkrootfs_error *error);
/*
 * Names are UTF-8 to pax, unless a record says that they are bytes. Puts that one in where a name
 * asks for it; before the names.
 */
int tar_pax_put_charset(struct buf *body, const char *name, size_t len,
			struct mkrootfs_error *error);

#endif
