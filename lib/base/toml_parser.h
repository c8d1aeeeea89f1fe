/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of TOML, from the document down to its values. Private to the TOML reader. */
#ifndef MKROOTFS_BASE_TOML_PARSER_H
#define MKROOTFS_BASE_TOML_PARSER_H

#include "buf.h"
#include "toml_cursor.h"
#include "toml_tables.h"

struct toml_parser {
	struct toml_cursor c;
	struct toml *document;
	struct toml_value *table; /* of the last header */
	struct buf scratch;
	unsigned section, last_section; /* see toml_tables.h */
	unsigned depth;			/* of arrays and inline tables */
	struct mkrootfs_error *error;
};

/* [A-Za-z0-9_-] */
bool toml_is_bare(int byte);
/* Parts with dots between them. */
int toml_read_key(struct toml_parser *p, struct toml_key *key);
int toml_read_value(struct toml_parser *p, struct toml_value **out);
/* A key and its value, into table or below it. */
int toml_read_member(struct toml_parser *p, struct toml_value *table);

#endif
