/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The headers that describe the member behind them: pax 'x' (and Solaris' 'X') and 'g', GNU's 'L'
 * and 'K' for long names; and those that say nothing that is needed: GNU's volume label 'V' and
 * Solaris' ACL 'A'. They come in any order; two of one kind before one member are refused, since
 * readers disagree on which counts.
 *
 *	while ((status = tar_extensions_read(&ext, &header, &input, error)) > 0)
 *		...read the next header...
 *	use(ext.own, ext.defaults, ...);		status is 0: the header is a member's
 *	tar_extensions_clear(&ext);
 */
#ifndef MKROOTFS_TAR_EXTENSIONS_H
#define MKROOTFS_TAR_EXTENSIONS_H

#include "attributes.h"
#include "input.h"

#define TAR_NAME_MAX (64u << 10)      /* bytes of a name or link target */
#define TAR_EXTENDED_MAX (8u << 20)   /* bytes of one extended header */
#define TAR_DEFAULTS_MAX (128u << 10) /* bytes of all global values in force */

struct tar_long_text {
	struct buf text;
	bool is_set;
};

struct tar_extensions {
	struct tar_attributes own;	/* 'x': of the next member */
	struct tar_attributes defaults; /* 'g': of all members from here on */
	struct tar_sparse_map map;	/* of the next member */
	struct tar_long_text name;	/* 'L' */
	struct tar_long_text link;	/* 'K' */
	bool has_own;
	struct buf own_body; /* what own borrows */
	struct buf defaults_body;
	struct buf defaults_storage; /* what defaults borrows */
	const char *warning;	     /* about the header just read, static, or NULL */
};

void tar_extensions_init(struct tar_extensions *ext);
void tar_extensions_free(struct tar_extensions *ext);
/* Forgets all but the defaults. */
void tar_extensions_clear(struct tar_extensions *ext);
/* Whether a header was read that needs a member behind it. */
bool tar_extensions_are_pending(const struct tar_extensions *ext);

/*
 * If header is an extension, consumes what follows it and returns 1; else 0. The header's block may
 * be gone after a 1.
 */
int tar_extensions_read(struct tar_extensions *ext, const struct tar_header *header,
			struct tar_input *input, struct mkrootfs_error *error);

#endif
