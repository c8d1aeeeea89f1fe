/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of a TOML document, and the members of its tables: one hash table by parent and key.
 * For toml_document.c and toml_tables.c, whose header says who may add what.
 */
#ifndef MKROOTFS_BASE_TOML_DOCUMENT_H
#define MKROOTFS_BASE_TOML_DOCUMENT_H

#include "toml_tables.h"

#include <stdbool.h>
#include <stddef.h>

struct block {
	struct block *next;
	max_align_t data[];
};

/* A value with what the rules of tables need to know. */
struct node {
	struct toml_value value;
	const struct toml_value *parent;
	unsigned section; /* whose dotted keys made this table; 0: none */
	bool defined;	  /* by its own header, or by dotted keys */
	bool closed;	  /* between braces or brackets: nothing may be added */
};

struct toml {
	struct toml_value *root;
	struct block *blocks;
	struct node **slots; /* members of all tables by parent and key */
	size_t slot_count;   /* a power of two, or 0 */
	size_t member_count;
};

static inline struct node *node_of(struct toml_value *value)
{
	return (struct node *)value;
}

/* NULL: the table has no such member. */
struct toml_value *toml_find_member(const struct toml *document, const struct toml_value *table,
				    const char *key, size_t len);
/* There must be none of that key. */
int toml_put_member(struct toml *document, struct toml_value *table, const char *key, size_t len,
		    struct toml_value *member, struct mkrootfs_error *error);

#endif
