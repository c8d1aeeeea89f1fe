/* SPDX-License-Identifier: Apache-2.0 */
/* The four kinds of TOML strings. Private to the TOML reader. */
#ifndef MKROOTFS_BASE_TOML_STRING_H
#define MKROOTFS_BASE_TOML_STRING_H

#include "buf.h"
#include "toml_cursor.h"

/* A string that begins here with its quote, in place of what out held; keys have one line. */
int toml_read_string(struct buf *out, struct toml_cursor *c, bool one_line,
		     struct mkrootfs_error *error);

#endif
